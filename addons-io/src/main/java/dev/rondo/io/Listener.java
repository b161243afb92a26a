package dev.rondo.io;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/// A socket that accepts connections, one acceptor at a time.
///
/// **When there is too much.** At its [#maxConnections(int)] it accepts the next connection when
/// one of those that are open is closed. When the system has no descriptor or no memory for one
/// more it reports that once and tries again whenever this side closes something, and every 100 ms.
/// In both cases the acceptor just waits, connections wait in the system's backlog, and nothing
/// spins.
///
/// Confined to the scheduler's thread.
///
/// @param <S> the kind of socket that it makes
public abstract sealed class Listener<S extends StreamSocket<S>> implements AutoCloseable
    permits TcpListener, UnixListener {

  final WaitForIO io;
  final Scheduler scheduler;
  final ServerSocketChannel channel;
  private final ChannelRegistration registration;
  private final Runnable released = this::released;
  private final Runnable retry = this::retry;

  /// How many connections may be open at once.
  private int limit = Integer.MAX_VALUE;

  private int connections;

  /// Whether the system could not accept. It is asked again later.
  private boolean starving;

  /// Whether that was reported, and nothing was accepted since.
  private boolean reported;

  /// @param channel bound
  /// @param name what messages call it
  Listener(Scheduler scheduler, WaitForIO io, ServerSocketChannel channel, String name)
      throws IOException {
    this.scheduler = scheduler;
    this.io = io;
    this.channel = channel;
    this.registration = new ChannelRegistration(io, channel, name);
  }

  /// Makes a socket of a connection. On failure the channel is closed.
  abstract S socketOf(SocketChannel connection) throws IOException;

  // Accepting.

  /// Accepts a connection. A *possible* suspension point: an eager operation.
  ///
  /// @return the connection, its caller's to close
  /// @throws ChannelClosedException if the listener is closed, before or meanwhile
  /// @throws IllegalStateException if another task waits to accept here; it goes on waiting
  /// @throws IOException if there is no IO on this scheduler any more
  public final S accept() throws IOException {
    var accept = new Accept();
    S socket;
    do {
      scheduler.await(accept);
      socket = accept.take();
    } while (socket == null); // scheduled directly: there is nothing to return yet
    return socket;
  }

  /// {@return accepting a connection, to be awaited with a limit or together with other things}
  /// Losing leaves the connection where it is. What comes out of the wait is as in [#accept()].
  public final Waitable<S> accepting() {
    return Waitable.guard(() -> {
      var accept = new Accept();
      return accept.map(ignored -> accept.taken());
    });
  }

  private final class Accept extends ChannelWait {

    private @Nullable S accepted;

    Accept() {
      super(Listener.this.registration, SelectionKey.OP_ACCEPT);
    }

    @Override
    boolean isHeld() {
      return starving || connections >= limit;
    }

    @Override
    boolean attempt() throws IOException {
      while (!isHeld() || !channel.isOpen()) {
        SocketChannel connection;
        try {
          connection = channel.accept();
        } catch (ClosedChannelException e) {
          throw e;
        } catch (IOException e) {
          if (io.releaseClosed()) {
            continue; // that gave descriptors back
          }
          starve(e);
          return false;
        }
        if (connection == null) {
          return false;
        }
        if (make(connection)) {
          return true;
        }
      }
      return false;
    }

    private boolean make(SocketChannel connection) {
      S socket;
      try {
        socket = socketOf(connection);
      } catch (IOException e) {
        return false; // its peer is gone already: nobody's failure, least of all the acceptor's
      }
      connections++;
      reported = false;
      socket.whenClosed(released);
      accepted = socket;
      return true;
    }

    @Nullable S take() throws IOException {
      throwIfFailed();
      return accepted;
    }

    S taken() {
      S socket = ChannelWait.result(this, accepted);
      if (socket == null) {
        throw new AssertionError("accepted nothing: " + this);
      }
      return socket;
    }

    @Override
    public String toString() {
      return "accept on " + registration;
    }
  }

  // Limits.

  /// Limits how many accepted connections may be open at once; an acceptor waits until one is
  /// closed. Never a suspension point.
  ///
  /// @param most at least one; `Integer.MAX_VALUE`, as at first, for no limit
  /// @throws IllegalArgumentException if it is less than one; the earlier one stands
  public final void maxConnections(int most) {
    io.requireThread();
    if (most < 1) {
      throw new IllegalArgumentException(
          this + ": maxConnections must be at least 1: maxConnections=" + most);
    }
    limit = most;
    registration.resume(SelectionKey.OP_ACCEPT);
  }

  /// {@return how many connections were accepted here and are not closed yet by this side} Never a
  /// suspension point.
  public final int connections() {
    return connections;
  }

  private void released() {
    connections--;
    if (channel.isOpen()) {
      registration.resume(SelectionKey.OP_ACCEPT);
    }
  }

  /// The JDK and the system tell by text only what `accept` wants: descriptors, memory. Linux asks
  /// (accept(2), "Error handling") to take all else like `EAGAIN`, too.
  private void starve(IOException e) {
    starving = true;
    if (!reported) {
      reported = true;
      scheduler.report(
          "accept on %s, which is tried again every %d ms"
              .formatted(this, Retries.DELAY_NANOS / 1_000_000),
          e);
    }
    io.retryLater(retry);
  }

  private void retry() {
    starving = false;
    if (channel.isOpen()) {
      registration.resume(SelectionKey.OP_ACCEPT);
    }
  }

  // The end.

  /// For an opening that has failed.
  static void close(@Nullable ServerSocketChannel channel) throws IOException {
    if (channel != null) {
      channel.close();
    }
  }

  /// Stops listening and frees the address at once. A waiting acceptor is woken with a
  /// [ChannelClosedException]. Connections that were not accepted are reset. Never a suspension
  /// point. Later calls do nothing.
  @Override
  public void close() throws IOException {
    io.requireThread();
    if (channel.isOpen()) {
      registration.close();
      io.releaseClosed();
    }
  }

  /// {@return whether it is not closed} Never a suspension point.
  public final boolean isOpen() {
    return channel.isOpen();
  }

  final <T> void setOption(SocketOption<T> option, T value) throws IOException {
    io.requireThread();
    try {
      channel.setOption(option, value);
    } catch (ClosedChannelException e) {
      throw new ChannelClosedException("set " + option + " of " + this + ": it is closed");
    } catch (IOException e) {
      throw Failures.of("set " + option + " of " + this, e);
    }
  }
}
