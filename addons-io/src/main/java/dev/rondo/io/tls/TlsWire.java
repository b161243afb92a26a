package dev.rondo.io.tls;

import dev.rondo.io.ByteSource;
import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.StreamSocket;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.internal.SingleFlight;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.internal.rooms.TaskControl;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLProtocolException;
import org.jspecify.annotations.Nullable;
import tlschannel.NeedsReadException;
import tlschannel.NeedsTaskException;
import tlschannel.TlsChannel;

/// The connection of the TLS library with the channel of a [TlsSocket]. The library works on memory
/// and never waits. This class receives the bytes that the library needs, sends the bytes that it
/// has made, and runs the expensive parts of a handshake on another thread.
///
/// Confined to the scheduler's thread.
final class TlsWire {

  /// As Netty's `closeNotifyFlushTimeout`.
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /// How long the peer may take to end its direction after this side has closed.
  private static final Duration LINGER = Duration.ofSeconds(1);

  private static final int DISCARDED_BYTES = 16 * 1024;

  /// The protocol of a session before the handshake.
  private static final String NO_PROTOCOL = "NONE";

  /// One call of the library.
  @FunctionalInterface
  interface Call {
    int make() throws IOException;
  }

  private final Scheduler scheduler;
  private final ByteChannel channel;
  private final String name;
  private final MemoryChannel memory;
  private final TlsChannel tls;
  private final SingleFlight filling;
  private final SingleFlight flushing;
  private final SingleFlight computing;

  /// A part of the handshake that no task has taken yet.
  private @Nullable Runnable needed;

  private boolean closed;

  /// @param name of the socket, in messages
  /// @param tls over the memory
  TlsWire(
      Scheduler scheduler, ByteChannel channel, String name, MemoryChannel memory, TlsChannel tls) {
    this.scheduler = scheduler;
    this.channel = channel;
    this.name = name;
    this.memory = memory;
    this.tls = tls;
    this.filling = new SingleFlight(scheduler, "receiving for " + name);
    this.flushing = new SingleFlight(scheduler, "sending for " + name);
    this.computing = new SingleFlight(scheduler, "cryptography for " + name);
  }

  boolean isOpen() {
    return !closed && channel.isOpen();
  }

  void requireOpen(String what) throws ChannelClosedException {
    scheduler.host().checkThread();
    if (closed) {
      throw new ChannelClosedException(what + " on " + name + ": this side has closed it");
    }
  }

  /// Repeats a call until it needs nothing more.
  int step(String what, Call call) throws IOException {
    while (true) {
      try {
        return made(what, call);
      } catch (NeedsReadException e) {
        send(); // the peer may wait for these bytes
        fill(what);
      } catch (NeedsTaskException e) {
        compute(partOf(e));
      } catch (SSLException e) {
        sendAlert(e);
        throw e;
      }
    }
  }

  /// Makes a call of the library, and translates its failures.
  private int made(String what, Call call) throws IOException {
    try {
      return call.make();
    } catch (SSLException e) {
      SSLException translated = TlsFailures.of(what + " on " + name, e);
      addAlert(translated);
      throw translated;
    } catch (ClosedChannelException e) {
      if (memory.ended() && !closed) {
        throw new EOFException(
            what + " on " + name + ": the peer ended the connection within the handshake");
      }
      throw new ChannelClosedException(what + " on " + name + ": it is closed or broken");
    } catch (RuntimeException e) {
      if (tls.getSslEngine() != null) {
        throw e;
      }
      // the library's parser of a ClientHello fails on garbage
      throw new SSLProtocolException(what + " on " + name + ": not a TLS ClientHello: " + e, e);
    }
  }

  // Decrypting.

  /// Decrypts at least one byte. A *possible* suspension point.
  int decrypt(ByteBuffer dst) throws IOException {
    requireOpen("read");
    return checkedEnd(step("read", () -> tls.read(dst)));
  }

  /// Decrypts the bytes that have arrived. Never a suspension point. If that fails, the peer
  /// receives the alert when this side closes the connection, at the latest.
  ///
  /// @return 0 if nothing has arrived
  int tryDecrypt(ByteBuffer dst) throws IOException {
    requireOpen("read");
    while (true) {
      try {
        return checkedEnd(made("read", () -> tls.read(dst)));
      } catch (NeedsReadException e) {
        if (!tryFill()) {
          return 0;
        }
      } catch (NeedsTaskException e) {
        Runnable part = e.getTask();
        if (part != null) {
          needed = part; // which the library returns once
        }
        return 0;
      }
    }
  }

  private int checkedEnd(int n) throws TlsTruncatedException {
    if (n < 0 && !tls.shutdownReceived()) {
      throw new TlsTruncatedException(
          "read from " + name + ": the stream ended without close_notify: it may have been cut");
    }
    return n;
  }

  // Receiving and sending.

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

  /// Receives the bytes that have arrived.
  ///
  /// @return false if nothing has arrived
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

  /// Sends the bytes that the library has made.
  void flush() throws IOException {
    while (memory.hasToSend()) {
      flushing.run(() -> {
        for (ByteBuffer some; (some = memory.toSend()) != null; ) {
          channel.write(some);
        }
      });
    }
  }

  /// The round of sending that is under way; null if none is.
  @Nullable Waitable<?> sending() {
    return flushing.isBusy() ? flushing : null;
  }

  /// Sends the bytes of the handshake. After it a reader must not wait until bytes are sent,
  /// because the peer may read only when this side has read: a writer sends them, or a task of
  /// their own.
  private void send() throws IOException {
    if (!isAgreed()) {
      flush();
    } else if (memory.hasToSend() && !flushing.isBusy()) {
      sendMeanwhile();
    }
  }

  private boolean isAgreed() {
    SSLEngine engine = tls.getSslEngine();
    return engine != null && !engine.getSession().getProtocol().equals(NO_PROTOCOL);
  }

  private void sendMeanwhile() throws IOException {
    try {
      Task<Void> sender = scheduler.newTask("send for " + name, this::flushUnlessBroken);
      sender.daemon();
      scheduler.scheduleTask(sender);
    } catch (IllegalStateException closing) {
      flush(); // the scheduler makes no more tasks
    }
  }

  private void flushUnlessBroken() {
    try {
      flush();
    } catch (IOException | TimedOutException e) {
      // the next write sends the rest, or fails in the same way
    } catch (IllegalStateException otherWaits) {
      // a task waits until the channel is writable, to write
    }
  }

  /// Adds an alert to the bytes to send; the library does not add it.
  private void addAlert(SSLException why) {
    SSLEngine engine = tls.getSslEngine();
    if (engine == null) {
      return; // a server that has not chosen its certificate yet
    }
    try {
      ByteBuffer alert = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
      engine.wrap(NOTHING.duplicate(), alert);
      memory.write(alert.flip());
    } catch (IOException e) {
      why.addSuppressed(e);
    }
  }

  private void sendAlert(SSLException why) {
    try {
      flushWithinLimit();
    } catch (IOException | TimedOutException e) {
      why.addSuppressed(e);
    }
  }

  private void flushWithinLimit() throws IOException {
    if (LoopControl.of(scheduler.host()).hasTimerService()) {
      scheduler.<@Nullable Void, IOException>within(
          CLOSE_TIMEOUT,
          () -> {
            flush();
            return null;
          });
    } else {
      flush();
    }
  }

  // The handshake.

  /// The library returns each part once, possibly to a poll, which cannot run it.
  private @Nullable Runnable partOf(NeedsTaskException e) {
    Runnable part = e.getTask() == null ? needed : e.getTask();
    needed = null;
    return part;
  }

  /// Runs a part of the handshake, on another thread unless time is virtual. The library returns
  /// each part once, so it runs even if the task is cancelled.
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
    scheduler.shielded(() ->
        TaskControl.of(scheduler.host())
            .withoutScheduling(() -> {
              while (!computing.run(() -> runElsewhere(part))) {}
            }));
  }

  private void runElsewhere(Runnable part) {
    if (LoopControl.of(scheduler.host()).idleStrategy().timeStandsStill()) {
      part.run();
    } else {
      scheduler.blocking(part::run);
    }
  }

  // Ending.

  /// Closes the channel, the first time.
  ///
  /// @param writing whether a task is writing: then the peer has not received everything, and
  ///   receives no `close_notify`
  void close(boolean writing) throws IOException {
    scheduler.host().checkThread();
    if (closed) {
      return;
    }
    closed = true;
    boolean lingers = false;
    try {
      if (channel.isOpen() && !writing && scheduler.currentTask() != null) {
        notifyPeer();
        flushWithinLimit();
        lingers = mayLinger() && linger((StreamSocket<?>) channel);
      }
    } catch (TimedOutException peerDoesNotRead) {
      // it reads a truncated stream
    } catch (IOException peerIsGone) {
      // no peer can be notified
    } finally {
      try {
        if (!lingers) {
          channel.close();
        }
      } finally {
        tls.close();
      }
    }
  }

  /// Whether this side may linger: not if the peer has ended its direction, or a task reads.
  /// Closing the channel wakes such a task.
  private boolean mayLinger() throws IOException {
    return channel instanceof StreamSocket<?> socket
        && !memory.ended()
        && !filling.isBusy()
        && LoopControl.of(scheduler.host()).hasTimerService()
        && !(socket instanceof TcpSocket
            && Integer.valueOf(0).equals(socket.getOption(StandardSocketOptions.SO_LINGER)));
  }

  /// Ends this direction, and starts a task that drops the peer's bytes until the peer ends the
  /// other direction. A system that closes a socket with unread bytes, or receives bytes later,
  /// resets the connection, and the peer may lose the last bytes sent to it. A side that only
  /// writes has not read the session tickets of TLS 1.3.
  ///
  /// @return false if the peer has ended it, or the scheduler takes no more tasks
  private boolean linger(StreamSocket<?> socket) throws IOException {
    socket.shutdownOutput();
    ByteBuffer room = ByteBuffer.allocate(DISCARDED_BYTES);
    if (socket.tryRead(room) < 0) {
      return false; // both directions have ended
    }
    try {
      scheduler.spawn("end of " + name, () -> drop(socket, room));
      return true;
    } catch (IllegalStateException ending) {
      return false;
    }
  }

  private void drop(StreamSocket<?> socket, ByteBuffer room) {
    try (socket) {
      scheduler.<@Nullable Void, IOException>within(
          LINGER,
          () -> {
            while (socket.read(room.clear()) >= 0) {
              // There may be more.
            }
            return null;
          });
    } catch (TimedOutException | IOException peerGoesOn) {
      // the peer was given its time, or the connection has ended
    }
  }

  private void notifyPeer() {
    try {
      tls.shutdown();
    } catch (IOException broken) {
      // an alert may have been made that says why
    }
  }
}
