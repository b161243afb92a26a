package dev.rondo.io;

import dev.rondo.io.internal.channel.BufferedChannelOutput;
import dev.rondo.io.internal.channel.ChannelInput;
import dev.rondo.io.internal.channel.ChannelOutput;
import dev.rondo.io.internal.channel.ChannelRegistration;
import dev.rondo.io.internal.channel.Reactor;
import dev.rondo.io.internal.channel.StreamReader;
import dev.rondo.io.internal.channel.StreamWriter;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.Charset;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A connection that carries bytes both ways, for straight-line code: reads and writes suspend the
/// task that makes them, and only it.
///
/// Two tasks may use one socket, one reading and one writing. Bytes are delivered once and in
/// order, whatever is cancelled or timed out meanwhile.
///
/// How a connection ends is told by different things: the peer's end of stream by `-1`, this side's
/// closing by [ChannelClosedException], a broken connection by [ConnectionResetException].
///
/// **Streams.** [#input()], [#output()] and [#bufferedOutput(int)] are for libraries that want
/// them. They hold no lock. In JDK 25 nor do, while they call their source or sink:
/// `DataInputStream`, `ObjectInputStream`, `InflaterInputStream`, `GZIPInputStream`,
/// `PushbackInputStream`, `SequenceInputStream`, `CheckedInputStream`, `ObjectOutputStream`,
/// `DeflaterOutputStream`, and `transferTo` between these two. `BufferedInputStream`,
/// `InputStreamReader`, `BufferedReader`, `Scanner`, `BufferedOutputStream`, `DataOutputStream`,
/// `GZIPOutputStream`, `OutputStreamWriter`, `BufferedWriter`, `PrintWriter`, `PrintStream` and the
/// readers and writers of `Channels` are `synchronized`. That does no harm as long as just one task
/// uses such an object. Two tasks that share one may hang the loop on the CONTINUATION and HANDOFF
/// backends: guard it with a lock for tasks. For lines [#readLine(int)] needs none of them, and
/// reading small pieces from [#input()] is buffered.
///
/// Confined to the scheduler's thread.
///
/// @param <S> the kind of socket
public abstract sealed class StreamSocket<S extends StreamSocket<S>>
    implements ByteSource, ByteSink, ByteChannel permits TcpSocket, UnixSocket {

  private final Reactor reactor;
  final SocketChannel channel;
  private final ChannelRegistration registration;
  private final StreamReader reader;
  private final StreamWriter writer;
  private @Nullable InputStream input;
  private @Nullable OutputStream output;

  /// Told when it is closed; null if nobody is.
  private @Nullable Runnable closing;

  /// @param channel connected
  StreamSocket(Reactor reactor, SocketChannel channel, ChannelRegistration registration) {
    this.reactor = reactor;
    this.channel = channel;
    this.registration = registration;
    ByteChannel stream = reactor.stream(channel);
    this.reader = new StreamReader(stream, registration);
    this.writer = new StreamWriter(stream, channel, registration);
  }

  abstract S self();

  /// @param action runs once, when this side closes
  final void whenClosed(Runnable action) {
    closing = action;
  }

  // Reading.

  @Override
  public final int read(ByteBuffer dst) throws IOException {
    return reader.read(dst);
  }

  @Override
  public final void readFully(ByteBuffer dst) throws IOException {
    reader.readFully(dst);
  }

  @Override
  public final byte @Nullable [] readUntil(byte delimiter, int limitBytes) throws IOException {
    return reader.readUntil(delimiter, limitBytes);
  }

  @Override
  public final @Nullable String readLine(int limitBytes, Charset charset) throws IOException {
    return reader.readLine(limitBytes, charset);
  }

  @Override
  public final Waitable<Integer> reading(ByteBuffer dst) {
    return reader.reading(dst);
  }

  @Override
  public final Waitable<S> readable() {
    return reader.ready(self());
  }

  @Override
  public final S readTimeout(@Nullable Duration timeout) {
    reader.timeout(timeout);
    return self();
  }

  @Override
  public final InputStream input() {
    InputStream stream = input;
    if (stream == null) {
      stream = new ChannelInput(this, reader);
      input = stream;
    }
    return stream;
  }

  // Writing.

  @Override
  public final int write(ByteBuffer src) throws IOException {
    return writer.write(src);
  }

  @Override
  public final Waitable<S> writable() {
    return writer.ready(self());
  }

  @Override
  public final S writeTimeout(@Nullable Duration timeout) {
    writer.timeout(timeout);
    return self();
  }

  @Override
  public final OutputStream output() {
    OutputStream stream = output;
    if (stream == null) {
      stream = new ChannelOutput(this, writer);
      output = stream;
    }
    return stream;
  }

  @Override
  public final OutputStream bufferedOutput(int highWaterBytes) {
    return new BufferedChannelOutput(this, reactor, highWaterBytes);
  }

  /// Has the system send bytes that are in no buffer, as `sendfile` does: what
  /// [dev.rondo.io.file.OpenFile#transferTo(long, long, StreamSocket)] is made of. A *possible*
  /// suspension point: whenever the system's buffer is full, and where the transfer is one. The
  /// [#writeTimeout(Duration)] holds for each wait.
  ///
  /// Whatever ends it early carries a suppressed [PartialWriteException] that says how far it came.
  ///
  /// @param transfer what sends
  /// @param count how many bytes it is to send, at least zero
  /// @return how many it has sent: less if it came to its end before
  /// @throws IllegalArgumentException if the count is negative
  /// @throws ChannelClosedException if this side has closed the socket, or its output, before or
  ///   meanwhile
  /// @throws ConnectionResetException if the peer broke the connection
  /// @throws dev.rondo.scheduler.TimedOutException after the write timeout
  /// @throws IllegalStateException if another task is writing; it goes on undisturbed
  /// @throws IOException whatever the transfer throws
  public final long send(Transfer transfer, long count) throws IOException {
    reactor.checkThread();
    if (count < 0) {
      throw new IllegalArgumentException("count must not be negative: count=" + count);
    }
    return writer.send(transfer::next, count);
  }

  // Ending.

  /// Tells the peer that no more will be written: its reads come to the end of the stream. Reading
  /// goes on. A waiting writer is woken with a [ChannelClosedException]. Never a suspension point.
  ///
  /// @throws ChannelClosedException if the socket is closed
  /// @throws IOException if the system refuses
  public final void shutdownOutput() throws IOException {
    reactor.checkThread();
    try {
      channel.shutdownOutput();
    } catch (IOException e) {
      throw failed("shut down output of ", e);
    }
    writer.useOnly(channel);
    registration.retry(SelectionKey.OP_WRITE);
  }

  /// Reads no more: what is read from now on is the end of the stream, also by a waiting reader.
  /// Writing goes on. Never a suspension point.
  ///
  /// @throws ChannelClosedException if the socket is closed
  /// @throws IOException if the system refuses
  public final void shutdownInput() throws IOException {
    reactor.checkThread();
    try {
      channel.shutdownInput();
    } catch (IOException e) {
      throw failed("shut down input of ", e);
    }
    reader.useOnly(channel);
    reader.drop();
    registration.retry(SelectionKey.OP_READ);
  }

  private IOException failed(String what, IOException e) {
    return e instanceof ClosedChannelException
        ? new ChannelClosedException(what + this + ": this side has closed it")
        : IoFailures.INSTANCE.of(what + this, e);
  }

  /// Closes both directions. Whoever waits is woken with a [ChannelClosedException] at once. What
  /// was written is still sent, unless `SO_LINGER` is 0, which resets a TCP connection. Never a
  /// suspension point. Later calls do nothing.
  @Override
  public final void close() throws IOException {
    reactor.checkThread();
    Runnable told = closing;
    closing = null;
    try {
      reader.drop();
      registration.close();
    } finally {
      if (told != null) {
        told.run();
      }
    }
  }

  /// {@return whether this side has not closed it} Never a suspension point.
  @Override
  public final boolean isOpen() {
    return channel.isOpen();
  }

  // Options.

  /// Sets an option of the system, as [SocketChannel#setOption] does. Never a suspension point.
  ///
  /// @param <T> the option's kind of value
  /// @param option of `StandardSocketOptions` or `ExtendedSocketOptions`: `TCP_NODELAY`,
  ///   `SO_KEEPALIVE`, `SO_LINGER` (seconds), `SO_REUSEADDR`, `SO_SNDBUF` and `SO_RCVBUF` (bytes),
  ///   ...
  /// @param value as the option asks for
  /// @return this socket
  /// @throws ChannelClosedException if the socket is closed
  /// @throws UnsupportedOperationException if there is no such option
  /// @throws IllegalArgumentException if the option does not take the value
  /// @throws IOException if the system refuses
  public final <T> S setOption(SocketOption<T> option, T value) throws IOException {
    reactor.checkThread();
    try {
      channel.setOption(option, value);
      return self();
    } catch (IOException e) {
      throw failed("set " + option + " of ", e);
    }
  }

  /// {@return the value of an option, as [SocketChannel#getOption] tells it} Never a suspension
  /// point.
  ///
  /// @param <T> the option's kind of value
  /// @param option as for [#setOption]
  /// @throws ChannelClosedException if the socket is closed
  /// @throws UnsupportedOperationException if there is no such option
  /// @throws IOException if the system refuses
  public final <T> @Nullable T getOption(SocketOption<T> option) throws IOException {
    reactor.checkThread();
    try {
      return channel.getOption(option);
    } catch (IOException e) {
      throw failed("get " + option + " of ", e);
    }
  }

  /// {@return the other side as short text} Never a suspension point.
  public abstract String peer();
}
