package dev.rondo.io.tls;

import dev.rondo.io.ChannelClosedException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
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
/// works on memory only and never waits; what it has encrypted is sent, and what it needs is
/// received, outside of its locks. The costly parts of a handshake run on another thread.
///
/// **Ending.** [#close()] sends `close_notify`. The peer's is the end of the stream, `-1`; an end
/// without one is a [TlsTruncatedException]. There is no half-close.
///
/// A limit or a cancellation in the middle of a read or a write leaves the connection intact: the
/// next operation goes on with it. Confined to the scheduler's thread.
public final class TlsSocket implements ByteChannel {

  /// What is encrypted at once: one record of TLS.
  private static final int RECORD_BYTES = 16 * 1024;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Scheduler scheduler;
  private final ByteChannel channel;
  private final String name;
  private final MemoryChannel wire;
  private final TlsChannel tls;
  private final SingleFlight filling;
  private final SingleFlight flushing;
  private final SingleFlight computing;
  private final InputStream input = new TlsInput(this);
  private final OutputStream output = new TlsOutput(this);

  /// Whose read, and whose write, is on its way; null if none is.
  private @Nullable Task<?> reader;

  private @Nullable Task<?> writer;
  private boolean closed;

  /// @param tls over the wire
  TlsSocket(
      Scheduler scheduler, ByteChannel channel, String name, MemoryChannel wire, TlsChannel tls) {
    this.scheduler = scheduler;
    this.channel = channel;
    this.name = name;
    this.wire = wire;
    this.tls = tls;
    this.filling = new SingleFlight(scheduler, "receiving for " + this);
    this.flushing = new SingleFlight(scheduler, "sending for " + this);
    this.computing = new SingleFlight(scheduler, "cryptography for " + this);
  }

  /// Negotiates, unless that was done. Reads and writes do it by themselves. A *possible*
  /// suspension point.
  ///
  /// @throws javax.net.ssl.SSLHandshakeException if the two sides do not agree or do not trust each
  ///   other; the peer is told, and the connection is of no use any more
  /// @throws EOFException if the peer ended the connection meanwhile
  /// @throws IOException as the channel beneath does
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

  /// Reads what is there, at least one byte; waits for it if there is none. A *possible* suspension
  /// point.
  ///
  /// @param dst where to; nothing beyond its position is touched
  /// @return how many bytes; -1 after the peer's `close_notify`, for ever; 0 if there is no room
  /// @throws TlsTruncatedException if the stream ended without it
  /// @throws ChannelClosedException if this side has closed the socket, before or meanwhile
  /// @throws SSLException if what came is not what the peer sent, or the handshake failed
  /// @throws IOException as the channel beneath does
  /// @throws IllegalStateException if another task is reading; it goes on undisturbed
  @Override
  public int read(ByteBuffer dst) throws IOException {
    requireOpen("read");
    if (dst.isReadOnly()) {
      throw new IllegalArgumentException("a buffer to read into must not be read-only: " + dst);
    }
    requireFree(reader, "reading");
    reader = scheduler.currentTask();
    try {
      int n = step("read", () -> tls.read(dst));
      if (n < 0 && !tls.shutdownReceived()) {
        throw new TlsTruncatedException(
            "read from " + this + ": the stream ended without close_notify: it may have been cut");
      }
      if (wire.hasToSend() && !flushing.isBusy()) {
        flush(); // an answer of the protocol; a writer would send it, too
      }
      return n;
    } finally {
      reader = null;
    }
  }

  /// Writes all of a buffer, encrypted in records of 16 KiB, each of which is sent before the next.
  /// A *possible* suspension point.
  ///
  /// @param src its position moves by what was encrypted; that is sent, if not by this call then by
  ///   the next
  /// @return how many bytes: all that `src` had
  /// @throws ChannelClosedException if this side has closed the socket, before or meanwhile
  /// @throws SSLException if the handshake failed
  /// @throws IOException as the channel beneath does
  /// @throws IllegalStateException if another task is writing; it goes on undisturbed
  @Override
  public int write(ByteBuffer src) throws IOException {
    requireOpen("write");
    requireFree(writer, "writing");
    writer = scheduler.currentTask();
    int end = src.limit();
    int all = src.remaining();
    try {
      while (src.hasRemaining()) {
        src.limit(Math.min(end, src.position() + RECORD_BYTES));
        if (step("write", () -> tls.write(src)) == 0) {
          throw new ChannelClosedException("write to " + this + ": the peer has closed it");
        }
        src.limit(end);
        flush();
      }
      return all;
    } finally {
      src.limit(end);
      writer = null;
    }
  }

  /// Writes text as UTF-8. As [#write(ByteBuffer)], a *possible* suspension point too.
  ///
  /// @param text all of it is sent
  /// @throws IOException as [#write(ByteBuffer)] does
  public void write(String text) throws IOException {
    write(StandardCharsets.UTF_8.encode(text));
  }

  /// {@return a stream that reads from this socket, always the same one} It holds no lock. Closing
  /// it closes the socket.
  public InputStream input() {
    return input;
  }

  /// {@return a stream that writes to this socket, always the same one} It holds no lock; each
  /// write is sent at once. Closing it closes the socket.
  public OutputStream output() {
    return output;
  }

  // The peer.

  /// {@return what was negotiated: protocol, cipher, certificates} A *possible* suspension point:
  /// it negotiates unless that was done.
  ///
  /// @throws IOException as [#handshake()] does
  public SSLSession session() throws IOException {
    handshake();
    return engine().getSession();
  }

  /// {@return the application's protocol that was agreed on by ALPN; empty if none was} A
  /// *possible* suspension point: it negotiates unless that was done.
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

  /// Makes a call again and again until it needs nothing more.
  private int step(String what, Call call) throws IOException {
    while (true) {
      try {
        return call.make();
      } catch (NeedsReadException e) {
        flush(); // the peer may wait for it
        fill(what);
      } catch (NeedsTaskException e) {
        compute(e.getTask());
      } catch (SSLException e) {
        sendAlert(e);
        throw e;
      } catch (ClosedChannelException e) {
        if (wire.ended() && !closed) {
          throw new EOFException(
              what + " on " + this + ": the peer ended the connection within the handshake");
        }
        throw new ChannelClosedException(what + " on " + this + ": it is closed or broken");
      } catch (RuntimeException e) {
        if (tls.getSslEngine() != null) {
          throw e;
        }
        // the library's parser of a client's greeting meets garbage
        throw new SSLProtocolException(what + " on " + this + ": no ClientHello of TLS: " + e, e);
      }
    }
  }

  private void fill(String what) throws IOException {
    requireOpen(what);
    if (wire.holdsSome() || wire.ended()) {
      return; // another task was faster
    }
    filling.run(() -> {
      ByteBuffer room = wire.toFill();
      try {
        if (channel.read(room) < 0) {
          wire.end();
        }
      } finally {
        wire.filled(room);
      }
    });
  }

  private void flush() throws IOException {
    while (wire.hasToSend()) {
      flushing.run(() -> {
        for (ByteBuffer some; (some = wire.toSend()) != null; ) {
          channel.write(some);
        }
      });
    }
  }

  /// Runs a part of the handshake elsewhere. The library hands each out once, so a cancellation
  /// does not keep it from being run.
  ///
  /// @param part null if another task is at the last one
  private void compute(@Nullable Runnable part) throws IOException {
    if (part == null && computing.isBusy()) {
      computing.run(() -> {});
      return;
    }
    if (part == null) {
      scheduler.yield(); // it has the part, but not had its turn yet
      return;
    }
    try {
      scheduler.<@Nullable Void>shielded(() -> {
        while (!computing.run(() -> runElsewhere(part))) {}
        return null;
      });
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void runElsewhere(Runnable part) {
    try {
      scheduler.<@Nullable Void>blocking(() -> {
        part.run();
        return null;
      });
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /// Tells the peer what is wrong. The library does not.
  private void sendAlert(SSLException why) {
    SSLEngine engine = tls.getSslEngine();
    if (engine == null) {
      return; // a server that does not know yet as who it speaks
    }
    try {
      ByteBuffer alert = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
      engine.wrap(NOTHING.duplicate(), alert);
      wire.write(alert.flip());
      flush();
    } catch (IOException e) {
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
          "task '%s' is %s on %s: one task at a time".formatted(other.name(), doing, this));
    }
  }

  // Ending.

  /// Sends `close_notify` and closes the channel beneath. Whoever waits is woken with a
  /// [ChannelClosedException]. A *possible* suspension point, if the system's buffer is full. In a
  /// cancelled task, or while another task is writing, the peer is sent no `close_notify`: it had
  /// not all that it was to get. Later calls do nothing.
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
        flush();
      }
    } catch (IOException peerIsGone) {
      // or the handshake has failed: there is nobody to be told
    } finally {
      try {
        channel.close();
      } finally {
        tls.close();
      }
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
