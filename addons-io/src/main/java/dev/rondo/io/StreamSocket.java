package dev.rondo.io;

import dev.rondo.io.internal.channel.BufferedChannelOutput;
import dev.rondo.io.internal.channel.ChannelInput;
import dev.rondo.io.internal.channel.ChannelOutput;
import dev.rondo.io.internal.channel.ChannelRegistration;
import dev.rondo.io.internal.channel.LeakWatch;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A connection that carries bytes both ways, for straight-line code: reads and writes suspend only
/// the task that calls them.
///
/// Two tasks may use one socket, one reading and one writing. Bytes are delivered once and in
/// order, even if operations are cancelled or time out.
///
/// The ways in which a connection ends are distinct: the peer's end of stream is `-1`, a close by
/// this side is a [ChannelClosedException], a broken connection is a [ConnectionResetException].
///
/// **Streams.** [#input()], [#output()] and [#bufferedOutput(int)] are for libraries that take
/// streams. They hold no lock. In JDK 25 these hold none either while they call their source or
/// sink: `DataInputStream`, `ObjectInputStream`, `InflaterInputStream`, `GZIPInputStream`,
/// `PushbackInputStream`, `SequenceInputStream`, `CheckedInputStream`, `ObjectOutputStream`,
/// `DeflaterOutputStream`, and `transferTo` between these two. `BufferedInputStream`,
/// `InputStreamReader`, `BufferedReader`, `Scanner`, `BufferedOutputStream`, `DataOutputStream`,
/// `GZIPOutputStream`, `OutputStreamWriter`, `BufferedWriter`, `PrintWriter`, `PrintStream` and the
/// readers and writers of `Channels` are `synchronized`. That does no harm while one task uses such
/// an object. Two tasks that share one may hang the loop on the CONTINUATION and HANDOFF backends:
/// guard it with a lock for tasks. To read lines call [#readLine(int)]; small reads from [#input()]
/// are buffered.
///
/// Confined to the scheduler's thread.
///
/// @param <S> the kind of socket
public abstract sealed class StreamSocket<S extends StreamSocket<S>> implements ByteStream
    permits TcpSocket, UnixSocket {

  private final Reactor reactor;
  SocketChannel channel;
  private final ChannelRegistration registration;
  private final StreamReader reader;
  private final StreamWriter writer;
  private final LeakWatch.Guard guard;
  private @Nullable InputStream input;
  private @Nullable OutputStream output;

  /// @param channel connected
  StreamSocket(Reactor reactor, SocketChannel channel, ChannelRegistration registration) {
    this.reactor = reactor;
    this.channel = channel;
    this.registration = registration;
    ByteChannel stream = reactor.stream(channel);
    this.reader = new StreamReader(stream, registration);
    this.writer = new StreamWriter(stream, channel, registration);
    reader.belongsTo(this);
    writer.belongsTo(this);
    this.guard = registration.watch(this, registration::close);
  }

  abstract S self();

  /// @param action runs once, when this side closes
  final void whenClosed(Runnable action) {
    guard.afterwards(action);
  }

  /// Notes that the calling task has opened the socket.
  final S openedHere() {
    guard.openedHere();
    return self();
  }

  // Reading.

  @Override
  public final int read(ByteBuffer dst) throws IOException {
    return reader.read(dst);
  }

  @Override
  public final int tryRead(ByteBuffer dst) throws IOException {
    return reader.tryRead(dst);
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
  public final Waitable<Optional<String>> readingLine(int limitBytes) {
    return reader.readingLine(limitBytes, StandardCharsets.UTF_8);
  }

  @Override
  public final Waitable<Integer> readingFully(ByteBuffer dst) {
    return reader.readingFully(dst);
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

  /// Sends bytes that are in no buffer of this process, as `sendfile` does. For authors of add-ons;
  /// an example is [dev.rondo.io.file.OpenFile#transferTo(long, long, StreamSocket)]. A *possible*
  /// suspension point: whenever the system's buffer is full, and where the transfer suspends. The
  /// [#writeTimeout(Duration)] applies to each wait.
  ///
  /// An exception that ends the transfer early has a suppressed [PartialWriteException], which says
  /// how many bytes were sent.
  ///
  /// @param transfer sends the bytes
  /// @param count how many bytes to send, at least zero
  /// @return how many bytes were sent: fewer if the transfer ended before
  /// @throws IllegalArgumentException if the count is negative
  /// @throws ChannelClosedException if this side has closed the socket, or shut down its output,
  ///   before or during the operation
  /// @throws ConnectionResetException if the peer broke the connection
  /// @throws dev.rondo.scheduler.TimedOutException after the write timeout
  /// @throws IllegalStateException if another task is writing, which is not affected
  /// @throws IOException as the transfer does
  public final long send(Transfer transfer, long count) throws IOException {
    Objects.requireNonNull(transfer, "transfer is null");
    reactor.checkThread();
    if (count < 0) {
      throw new IllegalArgumentException("count must not be negative: count=" + count);
    }
    return writer.send(transfer::next, count);
  }

  // Ending.

  /// Ends the stream to the peer. The peer reads the bytes sent so far, then the end of the stream.
  /// This side can still read. A waiting writer fails with a [ChannelClosedException]. Never a
  /// suspension point.
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

  /// Ends reading: from now on each read returns the end of the stream, and so does a read that
  /// waits. This side can still write. Never a suspension point.
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

  /// Closes both directions. Waits fail at once with a [ChannelClosedException]. The system still
  /// sends the written bytes, unless it resets a TCP connection. It does so if `SO_LINGER` is 0, if
  /// received bytes were not read, or if bytes arrive later. A side whose last bytes must arrive
  /// calls [#shutdownOutput()] and reads to the end of the stream before it closes. Never a
  /// suspension point. Later calls do nothing.
  @Override
  public final void close() throws IOException {
    reactor.checkThread();
    reader.drop();
    guard.close();
  }

  /// Ends this socket, and leaves its connection open and registered with no selector.
  ///
  /// @throws ChannelClosedException if the socket is closed
  /// @throws IllegalStateException if a task uses it, if bytes are held, if a direction is shut
  ///   down, or if another thread has the selector
  /// @throws IOException if the connection is broken, which the system has reported already
  final SocketChannel release() throws IOException {
    reader.requireUnused();
    writer.requireUnused();
    registration.requireWhole();
    if (reader.heldBytes() > 0) {
      throw new IllegalStateException(
          "%s has read ahead; take these bytes with tryRead(..) first: bytes=%d"
              .formatted(this, reader.heldBytes()));
    }
    SocketChannel released = channel;
    SocketChannel ended = reactor.provider().openSocketChannel();
    ended.close(); // in its place, so that all operations fail as closed
    registration.detach();
    reader.useOnly(ended);
    writer.useOnly(ended);
    channel = ended;
    guard.close();
    return released;
  }

  /// {@return whether this side has not closed the socket} Never a suspension point.
  @Override
  public final boolean isOpen() {
    return channel.isOpen();
  }

  // Counts.

  /// {@return how many bytes have been received from the peer, even after closing} They include
  /// those that no read has taken yet. Never a suspension point.
  final long bytesReceived() {
    return reader.received();
  }

  /// {@return how many bytes the system has taken to be sent, even after closing} Never a
  /// suspension point.
  final long bytesSent() {
    return writer.sent();
  }

  // Options.

  /// Sets a socket option, as [SocketChannel#setOption] does. Never a suspension point.
  ///
  /// @param <T> the option's kind of value
  /// @param option of `StandardSocketOptions` or `ExtendedSocketOptions`: `TCP_NODELAY`,
  ///   `SO_KEEPALIVE`, `SO_LINGER` (seconds), `SO_REUSEADDR`, `SO_SNDBUF` and `SO_RCVBUF` (bytes),
  ///   ...
  /// @param value as the option requires
  /// @return this socket
  /// @throws ChannelClosedException if the socket is closed
  /// @throws UnsupportedOperationException if there is no such option
  /// @throws IllegalArgumentException if the option does not take the value
  /// @throws IOException if the system refuses
  public final <T> S setOption(SocketOption<T> option, T value) throws IOException {
    Objects.requireNonNull(option, "option is null");
    Objects.requireNonNull(value, "value is null");
    reactor.checkThread();
    try {
      channel.setOption(option, value);
      return self();
    } catch (IOException e) {
      throw failed("set " + option + " of ", e);
    }
  }

  /// {@return the value of an option, as [SocketChannel#getOption] returns it} Never a suspension
  /// point.
  ///
  /// @param <T> the option's kind of value
  /// @param option as for [#setOption]
  /// @throws ChannelClosedException if the socket is closed
  /// @throws UnsupportedOperationException if there is no such option
  /// @throws IOException if the system refuses
  public final <T> @Nullable T getOption(SocketOption<T> option) throws IOException {
    Objects.requireNonNull(option, "option is null");
    reactor.checkThread();
    try {
      return channel.getOption(option);
    } catch (IOException e) {
      throw failed("get " + option + " of ", e);
    }
  }
}
