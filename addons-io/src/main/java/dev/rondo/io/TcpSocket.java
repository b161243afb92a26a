package dev.rondo.io;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A TCP connection, for straight-line code: reads and writes suspend the task that makes them, and
/// only it.
///
/// Two tasks may use one socket, one reading and one writing. `TCP_NODELAY` is set: what is written
/// is sent, so write whole messages. Bytes are delivered once and in order, whatever is cancelled
/// or timed out meanwhile.
///
/// How a connection ends is told by different things: the peer's end of stream by `-1`, this side's
/// closing by [ChannelClosedException], a broken connection by [ConnectionResetException].
///
/// **Streams.** [#input()] and [#output()] are for libraries that want them. They hold no lock. In
/// JDK 25 nor do, while they call their source or sink: `DataInputStream`, `ObjectInputStream`,
/// `InflaterInputStream`, `GZIPInputStream`, `PushbackInputStream`, `SequenceInputStream`,
/// `CheckedInputStream`, `ObjectOutputStream`, `DeflaterOutputStream`, and `transferTo` between
/// these two. `BufferedInputStream`, `InputStreamReader`, `BufferedReader`, `Scanner`,
/// `BufferedOutputStream`, `DataOutputStream`, `GZIPOutputStream`, `OutputStreamWriter`,
/// `BufferedWriter`, `PrintWriter`, `PrintStream` and the readers and writers of `Channels` are
/// `synchronized`. That does no harm as long as just one task uses such an object. Two tasks that
/// share one may hang the loop on the CONTINUATION and HANDOFF backends: guard it with a lock for
/// tasks. For lines [#readLine(int)] needs none of them, and reading small pieces from [#input()]
/// is buffered.
///
/// Confined to the scheduler's thread. Made by [WaitForIO#connect(String, int)] and
/// [TcpListener#accept()].
public final class TcpSocket implements ByteChannel {

  private final WaitForIO io;
  private final SocketChannel channel;
  private final InetSocketAddress localAddress;
  private final InetSocketAddress remoteAddress;
  private final Registration registration;
  private final Inbound inbound;
  private final Outbound outbound;
  private @Nullable InputStream input;
  private @Nullable OutputStream output;

  private TcpSocket(
      Scheduler scheduler, WaitForIO io, SocketChannel channel, Registration registration)
      throws IOException {
    this.io = io;
    this.channel = channel;
    this.localAddress = (InetSocketAddress) channel.getLocalAddress();
    this.remoteAddress = (InetSocketAddress) channel.getRemoteAddress();
    this.registration = registration;
    registration.rename(this);
    this.inbound = new Inbound(scheduler, channel, registration);
    this.outbound = new Outbound(scheduler, channel, registration);
  }

  /// A connection that was accepted. On failure the channel is closed.
  static TcpSocket of(Scheduler scheduler, WaitForIO io, SocketChannel channel) throws IOException {
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      var registration = new Registration(io, channel, "connection");
      return new TcpSocket(scheduler, io, channel, registration);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  static TcpSocket connect(Scheduler scheduler, WaitForIO io, SocketAddress address)
      throws IOException {
    io.requireThread();
    SocketChannel channel = SocketChannel.open();
    Registration registration = null;
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      String peer = address instanceof InetSocketAddress inet ? Addresses.text(inet) : "" + address;
      registration = new Registration(io, channel, peer);
      var connect = new Connect(channel, registration);
      connect.begin(address);
      do {
        scheduler.await(connect);
        connect.throwIfFailed();
      } while (!channel.isConnected()); // scheduled directly: there is nothing to return yet
      return new TcpSocket(scheduler, io, channel, registration);
    } catch (Throwable e) {
      try {
        if (registration == null) {
          channel.close();
        } else {
          registration.close();
        }
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  private static final class Connect extends ChannelWait {

    private final SocketChannel channel;

    Connect(SocketChannel channel, Registration registration) {
      super(registration, SelectionKey.OP_CONNECT);
      this.channel = channel;
    }

    void begin(SocketAddress address) throws IOException {
      try {
        channel.connect(address);
      } catch (IOException e) {
        throw translated(e);
      } catch (UnresolvedAddressException | UnsupportedAddressTypeException e) {
        throw new IllegalArgumentException("cannot " + this + " by TCP: " + e, e);
      }
    }

    @Override
    boolean attempt() throws IOException {
      return channel.finishConnect();
    }

    @Override
    public String toString() {
      return "connect to " + registration;
    }
  }

  // Reading.

  /// Reads what is there, at least one byte; waits for it if there is none. A *possible* suspension
  /// point: an eager operation.
  ///
  /// @param dst where to; its position moves by what was read and nothing beyond is touched
  /// @return how many bytes; -1 at the end of the stream, now and for ever after; 0 if there is no
  ///   room in `dst`, or the waiting task was scheduled directly
  /// @throws ChannelClosedException if this side has closed the socket, before or meanwhile
  /// @throws ConnectionResetException if the peer broke the connection
  /// @throws dev.rondo.scheduler.TimeoutException after the [#readTimeout(Duration)]; nothing is
  ///   lost
  /// @throws IllegalStateException if another task is reading; it goes on undisturbed
  @Override
  public int read(ByteBuffer dst) throws IOException {
    io.requireThread();
    return inbound.read(dst);
  }

  /// Reads until a buffer is full. A *possible* suspension point, as [#read] is.
  ///
  /// @param dst filled; after any exception its position tells how far that came
  /// @throws EndOfStreamException if the stream ended before; it says how many bytes there were,
  ///   which are in `dst`
  /// @throws IOException as [#read]
  public void readFully(ByteBuffer dst) throws IOException {
    io.requireThread();
    inbound.readFully(dst);
  }

  /// Reads up to a delimiter. After any exception nothing was taken: what had come is read next. A
  /// *possible* suspension point, as [#read] is.
  ///
  /// @param delimiter the byte that ends a message
  /// @param limitBytes how long a message may be without its delimiter, at least zero
  /// @return the message without its delimiter; null if the stream ended before it began
  /// @throws EndOfStreamException if the stream ended within a message
  /// @throws DelimiterNotFoundException if there were more bytes than the limit without a delimiter
  /// @throws IOException as [#read]
  public byte @Nullable [] readUntil(byte delimiter, int limitBytes) throws IOException {
    io.requireThread();
    return inbound.readUntil(delimiter, limitBytes);
  }

  /// Reads a line of UTF-8 that ends in LF or CR LF, or with the stream. As [#readUntil] otherwise,
  /// a *possible* suspension point too.
  ///
  /// @param limitBytes how long a line may be without its LF, at least zero
  /// @return the line without its ending; null at the end of the stream
  /// @throws DelimiterNotFoundException if the line is longer
  /// @throws IOException as [#read]
  public @Nullable String readLine(int limitBytes) throws IOException {
    return readLine(limitBytes, StandardCharsets.UTF_8);
  }

  /// [#readLine(int)] in another encoding. A *possible* suspension point.
  ///
  /// @param limitBytes how long a line may be without its LF, at least zero
  /// @param charset one in which LF and CR are one byte, as in ASCII
  /// @return the line without its ending; null at the end of the stream
  /// @throws DelimiterNotFoundException if the line is longer
  /// @throws IOException as [#readLine(int)] does
  public @Nullable String readLine(int limitBytes, Charset charset) throws IOException {
    io.requireThread();
    byte[] line = inbound.readLine(limitBytes);
    if (line == null) {
      return null;
    }
    int length = line.length;
    return new String(
        line, 0, length > 0 && line[length - 1] == '\r' ? length - 1 : length, charset);
  }

  /// {@return reading what is there, to be awaited together with other things} Losing takes
  /// nothing. What comes out of the wait is as in [#read]; the [#readTimeout(Duration)] does not
  /// hold here.
  ///
  /// @param dst where to, with room
  public Waitable<Integer> reading(ByteBuffer dst) {
    return inbound.reading(dst);
  }

  /// {@return there being something to read, or the end of the stream} To be awaited; takes
  /// nothing.
  public Waitable<TcpSocket> readable() {
    return ready(SelectionKey.OP_READ);
  }

  /// Limits how long each read, and each part of a [#readFully] or [#readUntil], may wait. Needs a
  /// timer, see `WaitForTime`. Never a suspension point.
  ///
  /// @param timeout more than zero; null for no limit, as at first
  /// @return this socket
  /// @throws IllegalArgumentException if it is not; the earlier one stands
  public TcpSocket readTimeout(@Nullable Duration timeout) {
    io.requireThread();
    inbound.timeout(checked(timeout));
    return this;
  }

  // Writing.

  /// Writes all of a buffer. A *possible* suspension point: an eager operation; and again whenever
  /// the system's buffer is full.
  ///
  /// Whatever ends it early carries a suppressed [PartialWriteException] that says how far it came.
  ///
  /// @param src its position moves to the first byte that was not sent, also in case of an
  ///   exception
  /// @return how many bytes: all that `src` had
  /// @throws ChannelClosedException if this side has closed the socket or its output, before or
  ///   meanwhile
  /// @throws ConnectionResetException if the peer broke the connection
  /// @throws dev.rondo.scheduler.TimeoutException after the [#writeTimeout(Duration)]
  /// @throws IllegalStateException if another task is writing; it goes on undisturbed
  @Override
  public int write(ByteBuffer src) throws IOException {
    io.requireThread();
    return outbound.write(src);
  }

  /// Writes text as UTF-8. As [#write(ByteBuffer)], a *possible* suspension point too.
  ///
  /// @param text all of it is sent
  /// @throws IOException as [#write(ByteBuffer)] does
  public void write(String text) throws IOException {
    write(StandardCharsets.UTF_8.encode(text));
  }

  /// {@return the system taking something to write} To be awaited.
  public Waitable<TcpSocket> writable() {
    return ready(SelectionKey.OP_WRITE);
  }

  /// Limits how long each write may wait until all is sent. Needs a timer, see `WaitForTime`. Never
  /// a suspension point.
  ///
  /// @param timeout more than zero; null for no limit, as at first
  /// @return this socket
  /// @throws IllegalArgumentException if it is not; the earlier one stands
  public TcpSocket writeTimeout(@Nullable Duration timeout) {
    io.requireThread();
    outbound.timeout(checked(timeout));
    return this;
  }

  private static @Nullable Duration checked(@Nullable Duration timeout) {
    if (timeout != null && !timeout.isPositive()) {
      throw new IllegalArgumentException(
          "timeout must be more than zero, or null for none: timeout=" + timeout);
    }
    return timeout;
  }

  private Waitable<TcpSocket> ready(int operation) {
    return Waitable.guard(() -> {
      boolean reading = operation == SelectionKey.OP_READ;
      var wait = new Readiness(registration, operation, () -> reading && inbound.holdsSome());
      return wait.map(ignored -> WaitForIO.result(wait, this));
    });
  }

  // Streams.

  /// {@return this socket's bytes as a stream, always the same one} Its reads are *possible*
  /// suspension points and throw what [#read] throws; small ones are buffered here. `available`
  /// tells how many bytes are buffered. Closing it closes the socket.
  public InputStream input() {
    InputStream stream = input;
    if (stream == null) {
      stream = new SocketInput(this, inbound);
      input = stream;
    }
    return stream;
  }

  /// {@return a stream that writes to this socket, always the same one} Its writes are *possible*
  /// suspension points and throw what [#write(ByteBuffer)] throws; each is sent at once. Closing it
  /// closes the socket.
  public OutputStream output() {
    OutputStream stream = output;
    if (stream == null) {
      stream = new SocketOutput(this, outbound);
      output = stream;
    }
    return stream;
  }

  // Ending.

  /// Tells the peer that no more will be written: its reads come to the end of the stream. Reading
  /// goes on. A waiting writer is woken with a [ChannelClosedException]. Never a suspension point.
  ///
  /// @throws ChannelClosedException if the socket is closed
  public void shutdownOutput() throws IOException {
    io.requireThread();
    try {
      channel.shutdownOutput();
    } catch (IOException e) {
      throw failed("shut down output of ", e);
    }
    registration.retry(SelectionKey.OP_WRITE);
  }

  /// Reads no more: what is read from now on is the end of the stream, also by a waiting reader.
  /// Writing goes on. Never a suspension point.
  ///
  /// @throws ChannelClosedException if the socket is closed
  public void shutdownInput() throws IOException {
    io.requireThread();
    try {
      channel.shutdownInput();
    } catch (IOException e) {
      throw failed("shut down input of ", e);
    }
    inbound.drop();
    registration.retry(SelectionKey.OP_READ);
  }

  private IOException failed(String what, IOException e) {
    return e instanceof ClosedChannelException
        ? new ChannelClosedException(what + this + ": this side has closed it")
        : Failures.of(what + this, e);
  }

  /// Closes both directions. Whoever waits is woken with a [ChannelClosedException] at once. What
  /// was written is still sent, unless `SO_LINGER` is 0, which resets the connection. Never a
  /// suspension point. Later calls do nothing.
  @Override
  public void close() throws IOException {
    io.requireThread();
    registration.close();
  }

  /// {@return whether this side has not closed it} Never a suspension point.
  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  // Options and addresses.

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
  /// @throws IOException if the system refuses
  public <T> TcpSocket set(SocketOption<T> option, T value) throws IOException {
    io.requireThread();
    try {
      channel.setOption(option, value);
      return this;
    } catch (IOException e) {
      throw failed("set " + option + " of ", e);
    }
  }

  /// {@return the value of an option, as [SocketChannel#getOption] tells it} Never a suspension
  /// point.
  ///
  /// @param <T> the option's kind of value
  /// @param option as for [#set]
  /// @throws ChannelClosedException if the socket is closed
  /// @throws UnsupportedOperationException if there is no such option
  /// @throws IOException if the system refuses
  public <T> @Nullable T get(SocketOption<T> option) throws IOException {
    io.requireThread();
    try {
      return channel.getOption(option);
    } catch (IOException e) {
      throw failed("get " + option + " of ", e);
    }
  }

  /// {@return this side's address, also after closing} Never a suspension point.
  public InetSocketAddress localAddress() {
    return localAddress;
  }

  /// {@return the other side's address, also after closing} Never a suspension point.
  public InetSocketAddress remoteAddress() {
    return remoteAddress;
  }

  /// {@return the other side's address as short text: `127.0.0.1:54321`} Never a suspension point.
  public String peer() {
    return Addresses.text(remoteAddress);
  }

  @Override
  public String toString() {
    return "socket " + Addresses.text(localAddress) + " -> " + peer();
  }
}
