package dev.rondo.io.tls;

import dev.rondo.io.ByteSink;
import dev.rondo.io.ByteStream;
import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.StreamSocket;
import dev.rondo.io.internal.channel.BufferPool;
import dev.rondo.io.internal.channel.BufferedChannelOutput;
import dev.rondo.io.internal.channel.ChannelInput;
import dev.rondo.io.internal.channel.IoErrors;
import dev.rondo.io.internal.channel.PullReader;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import tlschannel.TlsChannel;

/// A TLS connection over a channel that suspends, for straight-line code. Made by [TlsClient] and
/// [TlsServer].
///
/// Two tasks may use one socket, one reading and one writing, on every backend: the TLS library
/// works only on memory and never waits, and all sending and receiving happens outside its locks.
/// The expensive parts of a handshake run on another thread.
///
/// **Ending.** [#close()] sends `close_notify`. The peer's `close_notify` is the end of the stream,
/// `-1`; an end without it is a [TlsTruncatedException]. There is no half-close. After this side
/// has closed, it drops the peer's bytes for at most a second, so that the peer receives this
/// side's last bytes; then the system resets the connection. That holds over a [StreamSocket], with
/// a timer, and if no task is reading.
///
/// A read or write that times out or is cancelled leaves the connection intact: the next operation
/// continues. Confined to the scheduler's thread.
public final class TlsSocket implements ByteStream {

  /// How many bytes are encrypted at a time: one record of TLS.
  private static final int RECORD_BYTES = 16 * 1024;

  private final Scheduler scheduler;
  private final ByteChannel channel;
  private final String name;
  private final TlsChannel tls;
  private final TlsWire wire;
  private final PullReader reader;
  private final InputStream input;
  private final OutputStream output = new TlsOutput(this);

  /// The task whose write is under way; null if none is.
  private @Nullable Task<?> writer;

  private @Nullable Duration writeTimeout;

  /// @param tls over the memory
  TlsSocket(
      Scheduler scheduler, ByteChannel channel, String name, MemoryChannel memory, TlsChannel tls) {
    this.scheduler = scheduler;
    this.channel = channel;
    this.name = name;
    this.tls = tls;
    this.wire = new TlsWire(scheduler, channel, toString(), memory, tls);
    this.reader = new PullReader(scheduler, toString(), TlsFailures.INSTANCE, new Decryption(wire));
    this.input = new ChannelInput(this, reader);
  }

  /// Negotiates, unless that was done. Reads and writes negotiate by themselves. A *possible*
  /// suspension point.
  ///
  /// @throws javax.net.ssl.SSLHandshakeException if the two sides do not agree or do not trust each
  ///   other; the peer receives an alert, and the connection cannot be used any more
  /// @throws EOFException if the peer ended the connection during the handshake
  /// @throws IOException as the underlying channel does
  public void handshake() throws IOException {
    wire.requireOpen("handshake");
    wire.step(
        "handshake",
        () -> {
          tls.handshake();
          return 0;
        });
    wire.flush();
  }

  // Reading.

  /// Reads the bytes that are there; waits for at least one if there are none. A *possible*
  /// suspension point.
  ///
  /// @param dst where to; nothing beyond its position is changed
  /// @return how many bytes; -1 after the peer's `close_notify`, forever; 0 if there is no room
  /// @throws TlsTruncatedException if the stream ended without `close_notify`
  /// @throws ChannelClosedException if this side has closed the socket, before or during the
  ///   operation
  /// @throws SSLException if the received bytes were altered, or the handshake failed
  /// @throws IOException as the underlying channel does
  /// @throws dev.rondo.scheduler.TimedOutException after the [#readTimeout(Duration)]
  /// @throws IllegalStateException if another task is reading, which is not affected
  @Override
  public int read(ByteBuffer dst) throws IOException {
    return reader.read(dst);
  }

  @Override
  public int tryRead(ByteBuffer dst) throws IOException {
    return reader.tryRead(dst);
  }

  @Override
  public void readFully(ByteBuffer dst) throws IOException {
    reader.readFully(dst);
  }

  @Override
  public byte @Nullable [] readUntil(byte delimiter, int limitBytes) throws IOException {
    return reader.readUntil(delimiter, limitBytes);
  }

  @Override
  public @Nullable String readLine(int limitBytes, Charset charset) throws IOException {
    return reader.readLine(limitBytes, charset);
  }

  /// Decrypts for the reader.
  private record Decryption(TlsWire wire) implements PullReader.Source {

    @Override
    public void requireOpen() throws IOException {
      wire.requireOpen("read");
    }

    @Override
    public int pull(ByteBuffer dst) throws IOException {
      return wire.decrypt(dst);
    }

    @Override
    public int tryPull(ByteBuffer dst) throws IOException {
      return wire.tryDecrypt(dst);
    }

    @Override
    public int pieceBytes() {
      return RECORD_BYTES;
    }
  }

  @Override
  public Waitable<Integer> reading(ByteBuffer dst) {
    return reader.reading(dst);
  }

  @Override
  public Waitable<Optional<String>> readingLine(int limitBytes) {
    return reader.readingLine(limitBytes, StandardCharsets.UTF_8);
  }

  @Override
  public Waitable<Integer> readingFully(ByteBuffer dst) {
    return reader.readingFully(dst);
  }

  @Override
  public Waitable<TlsSocket> readable() {
    return reader.ready(this);
  }

  /// Limits how long each operation that reads may take. Requires a timer, see `WaitForTime`. Never
  /// a suspension point.
  @Override
  public TlsSocket readTimeout(@Nullable Duration timeout) {
    reader.timeout(timeout);
    return this;
  }

  // Writing.

  /// Writes all of a buffer, encrypted in records of 16 KiB. Each record is sent before the next. A
  /// *possible* suspension point.
  ///
  /// @param src its position moves by the bytes encrypted, which this call or the next one sends
  /// @return how many bytes: all that `src` had
  /// @throws ChannelClosedException if this side has closed the socket, before or during the
  ///   operation
  /// @throws SSLException if the handshake failed
  /// @throws IOException as the underlying channel does
  /// @throws IllegalStateException if another task is writing, which is not affected
  @Override
  public int write(ByteBuffer src) throws IOException {
    Objects.requireNonNull(src, "src is null");
    wire.requireOpen("write");
    Task<?> other = writer;
    if (other != null) {
      throw new IllegalStateException(
          "task '%s' is writing on %s, and only one task may at a time"
              .formatted(other.name(), this));
    }
    writer = scheduler.currentTask();
    int first = src.position();
    int end = src.limit();
    try {
      return IoErrors.within(
          scheduler, writeTimeout, () -> "write to " + this, () -> writeAll(src));
    } catch (Throwable e) {
      src.limit(end);
      TlsFailures.INSTANCE.addProgress(
          e, "write to " + this, src.position() - first, src.remaining());
      throw e;
    } finally {
      src.limit(end);
      writer = null;
    }
  }

  private int writeAll(ByteBuffer src) throws IOException {
    int end = src.limit();
    int all = src.remaining();
    while (src.hasRemaining()) {
      src.limit(Math.min(end, src.position() + RECORD_BYTES));
      if (wire.step("write", () -> tls.write(src)) == 0) {
        throw new ChannelClosedException("write to " + this + ": the peer has closed it");
      }
      src.limit(end);
      wire.flush();
    }
    return all;
  }

  /// {@return a wait until the underlying channel accepts something to write} The wait ends at once
  /// if that channel does not report it.
  @Override
  public Waitable<TlsSocket> writable() {
    return channel instanceof ByteSink sink
        ? Waitable.guard(() -> {
          Waitable<?> sending = wire.sending();
          return (sending == null ? sink.writable() : sending).map(ignored -> this);
        })
        : Waitable.always(this);
  }

  /// Limits how long each write may take. Requires a timer, see `WaitForTime`. Never a suspension
  /// point.
  @Override
  public TlsSocket writeTimeout(@Nullable Duration timeout) {
    scheduler.host().checkThread();
    writeTimeout = IoErrors.requirePositive(timeout);
    return this;
  }

  /// {@return this socket as a stream, always the same one} It holds no lock. Closing it closes the
  /// socket.
  @Override
  public InputStream input() {
    return input;
  }

  /// {@return this socket as a stream, always the same one} It holds no lock. Each write is sent at
  /// once. Closing it closes the socket.
  @Override
  public OutputStream output() {
    return output;
  }

  @Override
  public OutputStream bufferedOutput(int highWaterBytes) {
    return new BufferedChannelOutput(
        this, ChannelClosedException::new, BufferPool.none(), highWaterBytes);
  }

  // The peer.

  /// {@return the negotiated protocol, cipher and certificates} A *possible* suspension point: it
  /// negotiates unless that was done.
  ///
  /// @throws IOException as [#handshake()] does
  public SSLSession session() throws IOException {
    handshake();
    return engine().getSession();
  }

  /// {@return the application protocol negotiated by ALPN; empty if there is none} A *possible*
  /// suspension point: it negotiates unless that was done.
  ///
  /// @throws IOException as [#handshake()] does
  public Optional<String> applicationProtocol() throws IOException {
    handshake();
    String protocol = engine().getApplicationProtocol();
    return protocol == null || protocol.isEmpty() ? Optional.empty() : Optional.of(protocol);
  }

  private SSLEngine engine() {
    return tls.getSslEngine();
  }

  // Ending.

  /// Sends `close_notify` and closes the underlying channel. If that is a socket, it is closed when
  /// the peer has ended its direction, or after a second. Until then a task drops arriving bytes,
  /// because they would make the system reset the connection, as [StreamSocket#close()] says. Waits
  /// fail with a [ChannelClosedException]. A *possible* suspension point, if the system's buffer is
  /// full; it waits for at most 3 seconds if there is a timer (see `WaitForTime`). In a cancelled
  /// task, or while another task is writing, it sends no `close_notify`, because the peer has not
  /// received everything. Later calls do nothing.
  ///
  /// @throws IOException if closing fails; it counts as closed all the same
  @Override
  public void close() throws IOException {
    wire.close(writer != null);
  }

  /// {@return whether this side has not closed it} Never a suspension point.
  @Override
  public boolean isOpen() {
    return wire.isOpen();
  }

  @Override
  public String toString() {
    return "TLS " + name;
  }
}
