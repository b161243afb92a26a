package dev.rondo.io.tls;

import dev.rondo.io.ByteSink;
import dev.rondo.io.ByteSource;
import dev.rondo.io.ByteStream;
import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.internal.Throwables;
import dev.rondo.io.internal.channel.BufferPool;
import dev.rondo.io.internal.channel.BufferedChannelOutput;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLProtocolException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import tlschannel.NeedsReadException;
import tlschannel.NeedsTaskException;
import tlschannel.TlsChannel;

/// A TLS connection over a channel that suspends, for straight-line code. Made by [TlsClient] and
/// [TlsServer].
///
/// Two tasks may use one socket, one reading and one writing, on every backend: the TLS library
/// works only on memory and never waits, and all sending and receiving happens outside its locks.
/// The expensive parts of a handshake run on another thread.
///
/// **Ending.** [#close()] sends `close_notify`. The peer's is the end of the stream, `-1`; an end
/// without one is a [TlsTruncatedException]. There is no half-close.
///
/// A read or write that times out or is cancelled leaves the connection intact: the next operation
/// continues. Confined to the scheduler's thread.
public final class TlsSocket implements ByteStream {

  /// How many bytes are encrypted at a time: one record of TLS.
  private static final int RECORD_BYTES = 16 * 1024;

  /// As Netty's `closeNotifyFlushTimeout`.
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Scheduler scheduler;
  private final ByteChannel channel;
  private final String name;
  private final MemoryChannel memory;
  private final TlsChannel tls;
  private final TlsReader plain;
  private final SingleFlight filling;
  private final SingleFlight flushing;
  private final SingleFlight computing;
  private final InputStream input = new TlsInput(this);
  private final OutputStream output = new TlsOutput(this);

  /// The tasks whose read and whose write are under way; null if none is.
  private @Nullable Task<?> reader;

  private @Nullable Task<?> writer;

  /// A part of the handshake that no task has taken yet.
  private @Nullable Runnable needed;

  private @Nullable Duration readTimeout;
  private @Nullable Duration writeTimeout;
  private boolean closed;
  private Duration closeTimeout = CLOSE_TIMEOUT;

  /// @param tls over the memory
  TlsSocket(
      Scheduler scheduler, ByteChannel channel, String name, MemoryChannel memory, TlsChannel tls) {
    this.scheduler = scheduler;
    this.channel = channel;
    this.name = name;
    this.memory = memory;
    this.tls = tls;
    this.plain = new TlsReader(scheduler, toString(), new Decryption());
    this.filling = new SingleFlight(scheduler, "receiving for " + this);
    this.flushing = new SingleFlight(scheduler, "sending for " + this);
    this.computing = new SingleFlight(scheduler, "cryptography for " + this);
  }

  /// Negotiates, unless that was done. Reads and writes negotiate by themselves. A *possible*
  /// suspension point.
  ///
  /// @throws javax.net.ssl.SSLHandshakeException if the two sides do not agree or do not trust each
  ///   other; the peer receives an alert, and the connection cannot be used any more
  /// @throws EOFException if the peer ended the connection during the handshake
  /// @throws IOException as the underlying channel does
  public void handshake() throws IOException {
    requireOpen("handshake");
    step(
        "handshake",
        () -> {
          tls.handshake();
          return 0;
        });
    flush();
  }

  // Reading.

  /// Reads the bytes that are there; waits for at least one if there are none. A *possible*
  /// suspension point.
  ///
  /// @param dst where to; nothing beyond its position is changed
  /// @return how many bytes; -1 after the peer's `close_notify`, forever; 0 if there is no room
  /// @throws TlsTruncatedException if the stream ended without it
  /// @throws ChannelClosedException if this side has closed the socket, before or during the
  ///   operation
  /// @throws SSLException if the received bytes were altered, or the handshake failed
  /// @throws IOException as the underlying channel does
  /// @throws dev.rondo.scheduler.TimedOutException after the [#readTimeout(Duration)]
  /// @throws IllegalStateException if another task is reading, which is not affected
  @Override
  public int read(ByteBuffer dst) throws IOException {
    return reading(dst, () -> plain.read(dst));
  }

  @Override
  public int tryRead(ByteBuffer dst) throws IOException {
    requireReader(dst);
    return plain.tryRead(dst);
  }

  @Override
  public void readFully(ByteBuffer dst) throws IOException {
    this.<@Nullable Void>reading(
        dst,
        () -> {
          plain.readFully(dst);
          return null;
        });
  }

  @Override
  public byte @Nullable [] readUntil(byte delimiter, int limitBytes) throws IOException {
    return this.<byte @Nullable []>reading(NOTHING, () -> plain.readUntil(delimiter, limitBytes));
  }

  @Override
  public @Nullable String readLine(int limitBytes, Charset charset) throws IOException {
    return this.<@Nullable String>reading(NOTHING, () -> plain.readLine(limitBytes, charset));
  }

  private void requireReader(ByteBuffer dst) throws ChannelClosedException {
    requireOpen("read");
    if (dst.isReadOnly()) {
      throw new IllegalArgumentException("the buffer must not be read-only: dst=" + dst);
    }
    requireFree(reader, "reading");
  }

  private <T extends @Nullable Object> T reading(ByteBuffer dst, TaskCall<T, IOException> call)
      throws IOException {
    requireReader(dst);
    reader = scheduler.currentTask();
    try {
      Duration limit = readTimeout;
      return limit == null ? call.call() : scheduler.within(limit, call);
    } finally {
      reader = null;
    }
  }

  /// Decrypts for the reader, at most one task at a time.
  private final class Decryption implements TlsReader.Source {

    @Override
    public int decrypt(ByteBuffer dst) throws IOException {
      requireOpen("read");
      int n = checkedEnd(step("read", () -> tls.read(dst)));
      if (memory.hasToSend() && !flushing.isBusy()) {
        flush(); // an answer of the protocol, which a writer would send, too
      }
      return n;
    }

    @Override
    public int tryDecrypt(ByteBuffer dst) throws IOException {
      requireOpen("read");
      while (true) {
        try {
          return checkedEnd(tls.read(dst));
        } catch (NeedsReadException e) {
          if (!tryFill()) {
            return 0;
          }
        } catch (NeedsTaskException e) {
          needed = e.getTask(); // which the library returns once
          return 0;
        }
      }
    }

    private int checkedEnd(int n) throws TlsTruncatedException {
      if (n < 0 && !tls.shutdownReceived()) {
        throw new TlsTruncatedException(
            "read from "
                + TlsSocket.this
                + ": the stream ended without close_notify: it may have been cut");
      }
      return n;
    }
  }

  /// Receives what has arrived.
  ///
  /// @return false if nothing has
  private boolean tryFill() throws IOException {
    if (memory.hasReceived() || memory.ended()) {
      return true;
    }
    if (filling.isBusy() || !(channel instanceof ByteSource source)) {
      return false;
    }
    ByteBuffer room = memory.toFill();
    int n = source.tryRead(room);
    memory.filled(room);
    if (n < 0) {
      memory.end();
    }
    return n != 0;
  }

  @Override
  public Waitable<Integer> reading(ByteBuffer dst) {
    if (dst.isReadOnly()) {
      throw new IllegalArgumentException("the buffer must not be read-only: dst=" + dst);
    }
    return reading(plain::arrival, () -> read(dst));
  }

  @Override
  public Waitable<Optional<String>> readingLine(int limitBytes) {
    if (limitBytes < 0) {
      throw new IllegalArgumentException("limit must be at least 0 bytes: limit=" + limitBytes);
    }
    return reading(
        () -> plain.lineArrival(limitBytes), () -> Optional.ofNullable(readLine(limitBytes)));
  }

  @Override
  public Waitable<Integer> readingFully(ByteBuffer dst) {
    return reading(
        () -> plain.arrivalOf(dst.remaining()), () -> reading(dst, () -> plain.readWhole(dst)));
  }

  @Override
  public Waitable<TlsSocket> readable() {
    return reading(plain::arrival, () -> this);
  }

  /// @param call does not wait, because what it reads is held then
  private <T> Waitable<T> reading(
      Supplier<Waitable<Boolean>> arrival, TaskCall<T, IOException> call) {
    return Waitable.guard(
            () -> {
              try {
                requireReader(NOTHING);
              } catch (ChannelClosedException e) {
                throw Throwables.<RuntimeException>rethrow(e);
              }
              return arrival.get();
            })
        .map(ignored -> {
          try {
            return call.call();
          } catch (IOException e) {
            throw Throwables.<RuntimeException>rethrow(e);
          }
        });
  }

  /// Limits how long each operation that reads may take. Requires a timer, see `WaitForTime`. Never
  /// a suspension point.
  @Override
  public TlsSocket readTimeout(@Nullable Duration timeout) {
    readTimeout = checked(timeout);
    return this;
  }

  private @Nullable Duration checked(@Nullable Duration timeout) {
    scheduler.host().checkThread();
    if (timeout != null && !timeout.isPositive()) {
      throw new IllegalArgumentException(
          "timeout must be more than zero, or null for none: timeout=" + timeout);
    }
    return timeout;
  }

  // Writing.

  /// Writes all of a buffer, encrypted in records of 16 KiB, each of which is sent before the next.
  /// A *possible* suspension point.
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
    requireOpen("write");
    requireFree(writer, "writing");
    writer = scheduler.currentTask();
    int end = src.limit();
    try {
      Duration limit = writeTimeout;
      return limit == null
          ? writeAll(src)
          : scheduler.<Integer, IOException>within(limit, () -> writeAll(src));
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
      if (step("write", () -> tls.write(src)) == 0) {
        throw new ChannelClosedException("write to " + this + ": the peer has closed it");
      }
      src.limit(end);
      flush();
    }
    return all;
  }

  /// {@return a wait until the underlying channel accepts something to write} It is there at once
  /// if that channel does not say.
  @Override
  public Waitable<TlsSocket> writable() {
    return channel instanceof ByteSink sink
        ? sink.writable().map(ignored -> this)
        : Waitable.always(this);
  }

  /// Limits how long each write may take. Requires a timer, see `WaitForTime`. Never a suspension
  /// point.
  @Override
  public TlsSocket writeTimeout(@Nullable Duration timeout) {
    writeTimeout = checked(timeout);
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
        this, ChannelClosedException::new, new BufferPool(), highWaterBytes);
  }

  // The peer.

  /// {@return the peer of the underlying channel as short text} Never a suspension point.
  @Override
  public String peer() {
    return channel instanceof ByteStream stream ? stream.peer() : name;
  }

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

  // Between the library and the channel.

  /// One call of the library.
  @FunctionalInterface
  private interface Call {
    int make() throws IOException;
  }

  /// Repeats a call until it needs nothing more.
  private int step(String what, Call call) throws IOException {
    while (true) {
      try {
        return call.make();
      } catch (NeedsReadException e) {
        flush(); // the peer may wait for these bytes
        fill(what);
      } catch (NeedsTaskException e) {
        compute(partOf(e));
      } catch (SSLException e) {
        sendAlert(e);
        throw e;
      } catch (ClosedChannelException e) {
        if (memory.ended() && !closed) {
          throw new EOFException(
              what + " on " + this + ": the peer ended the connection within the handshake");
        }
        throw new ChannelClosedException(what + " on " + this + ": it is closed or broken");
      } catch (RuntimeException e) {
        if (tls.getSslEngine() != null) {
          throw e;
        }
        // the library's parser of a ClientHello fails on garbage
        throw new SSLProtocolException(what + " on " + this + ": no ClientHello of TLS: " + e, e);
      }
    }
  }

  private void fill(String what) throws IOException {
    requireOpen(what);
    if (memory.hasReceived() || memory.ended()) {
      return; // another task has received some, or the end
    }
    filling.run(() -> {
      ByteBuffer room = memory.toFill();
      try {
        if (channel.read(room) < 0) {
          memory.end();
        }
      } finally {
        memory.filled(room);
      }
    });
  }

  private void flush() throws IOException {
    while (memory.hasToSend()) {
      flushing.run(() -> {
        for (ByteBuffer some; (some = memory.toSend()) != null; ) {
          channel.write(some);
        }
      });
    }
  }

  /// The library returns each part once, possibly to a poll, which cannot run it.
  private @Nullable Runnable partOf(NeedsTaskException e) {
    Runnable part = e.getTask() == null ? needed : e.getTask();
    needed = null;
    return part;
  }

  /// Runs a part of the handshake on another thread. The library returns each part once, so it runs
  /// even if the task is cancelled.
  ///
  /// @param part null if another task runs the last part
  private void compute(@Nullable Runnable part) throws IOException {
    if (part == null && computing.isBusy()) {
      computing.run(() -> {});
      return;
    }
    if (part == null) {
      scheduler.yield(); // that task has the part, but has not had its turn yet
      return;
    }
    scheduler.shielded(() -> {
      while (!computing.run(() -> runElsewhere(part))) {}
    });
  }

  private void runElsewhere(Runnable part) {
    scheduler.blocking(part::run);
  }

  /// Sends the peer an alert, which the library does not.
  private void sendAlert(SSLException why) {
    SSLEngine engine = tls.getSslEngine();
    if (engine == null) {
      return; // a server that has not chosen its certificate yet
    }
    try {
      ByteBuffer alert = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
      engine.wrap(NOTHING.duplicate(), alert);
      memory.write(alert.flip());
      flushWithinLimit();
    } catch (IOException | TimedOutException e) {
      why.addSuppressed(e);
    }
  }

  private void requireOpen(String what) throws ChannelClosedException {
    scheduler.host().checkThread();
    if (closed) {
      throw new ChannelClosedException(what + " on " + this + ": this side has closed it");
    }
  }

  private void requireFree(@Nullable Task<?> other, String doing) {
    if (other != null) {
      throw new IllegalStateException(
          "task '%s' is %s on %s, and only one task may at a time"
              .formatted(other.name(), doing, this));
    }
  }

  // Ending.

  /// Limits how long [#close()] may wait for the system to take `close_notify`. Requires a timer,
  /// see `WaitForTime`; there is no limit without one. Never a suspension point.
  ///
  /// @param limit more than zero; 3 seconds by default
  /// @return this socket
  /// @throws IllegalArgumentException if it is not; the earlier one stays
  public TlsSocket closeTimeout(Duration limit) {
    scheduler.host().checkThread();
    if (!limit.isPositive()) {
      throw new IllegalArgumentException("closeTimeout must be more than zero: limit=" + limit);
    }
    closeTimeout = limit;
    return this;
  }

  /// Sends `close_notify` and closes the underlying channel. Waits fail with a
  /// [ChannelClosedException]. A *possible* suspension point, if the system's buffer is full; it
  /// waits as long as [#closeTimeout] says. In a cancelled task, or while another task is writing,
  /// it sends no `close_notify`, because the peer has not received everything. Later calls do
  /// nothing.
  ///
  /// @throws IOException if closing fails; it counts as closed all the same
  @Override
  public void close() throws IOException {
    scheduler.host().checkThread();
    if (closed) {
      return;
    }
    closed = true;
    try {
      if (channel.isOpen() && writer == null && scheduler.currentTask() != null) {
        tls.shutdown();
        flushWithinLimit();
      }
    } catch (TimedOutException peerDoesNotRead) {
      // it reads a truncated stream
    } catch (IOException peerIsGone) {
      // or the handshake has failed: no peer can be notified
    } finally {
      try {
        channel.close();
      } finally {
        tls.close();
      }
    }
  }

  private void flushWithinLimit() throws IOException {
    if (scheduler.host().hasTimerService()) {
      scheduler.<@Nullable Void, IOException>within(
          closeTimeout,
          () -> {
            flush();
            return null;
          });
    } else {
      flush();
    }
  }

  /// {@return whether this side has not closed it} Never a suspension point.
  @Override
  public boolean isOpen() {
    return !closed && channel.isOpen();
  }

  @Override
  public String toString() {
    return "TLS " + name;
  }
}
