package dev.rondo.io;

import dev.rondo.io.internal.channel.Acceptor;
import dev.rondo.io.internal.channel.LeakWatch;
import dev.rondo.io.internal.channel.Reactor;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/// A socket that accepts connections, one acceptor at a time.
///
/// **Overload.** At its [#maxConnections(int)] a listener accepts the next connection when an open
/// one is closed. When the system lacks a descriptor or memory for a connection, the listener
/// reports that once, and tries again whenever this side closes a channel, and every 100 ms. In
/// both cases the acceptor waits, connections stay in the system's backlog, and nothing spins.
///
/// Confined to the scheduler's thread.
///
/// @param <S> the kind of socket
public abstract sealed class Listener<S extends StreamSocket<S>> implements AutoCloseable
    permits TcpListener, UnixListener {

  final Reactor reactor;
  final ServerSocketChannel channel;
  private final Acceptor<S> acceptor;
  private final LeakWatch.Guard guard;

  /// @param channel bound
  /// @param name the listener's name in messages
  /// @param more closes the listener's other resources; must not refer to the listener
  Listener(Reactor reactor, ServerSocketChannel channel, String name, LeakWatch.Closing more)
      throws IOException {
    this.reactor = reactor;
    this.channel = channel;
    this.acceptor = new Acceptor<>(reactor, channel, name, this::socketOf);
    this.guard = acceptor.watch(this, more);
    guard.openedHere();
  }

  private S socketOf(SocketChannel connection, Runnable released) throws IOException {
    S socket = socketOf(connection);
    socket.whenClosed(released);
    return socket;
  }

  /// Creates the socket of a connection. On failure the channel is closed.
  abstract S socketOf(SocketChannel connection) throws IOException;

  // Accepting.

  /// Accepts a connection. A *possible* suspension point: an eager operation.
  ///
  /// @return the connection, which the caller closes
  /// @throws ChannelClosedException if the listener is closed, before or during the operation
  /// @throws IllegalStateException if another task waits to accept here, which is not affected
  /// @throws IOException if the selector of this scheduler has failed
  public final S accept() throws IOException {
    return acceptor.accept().openedHere();
  }

  /// {@return a wait that accepts a connection, to be awaited with a limit or as a branch of a
  /// choice} A branch that is not taken accepts nothing. The wait returns or throws what
  /// [#accept()] does.
  public final Waitable<S> accepting() {
    return acceptor.accepting().map(StreamSocket::openedHere);
  }

  // Limits.

  /// Limits how many accepted connections may be open at once. At the limit an acceptor waits until
  /// one is closed. Never a suspension point.
  ///
  /// @param max at least one; `Integer.MAX_VALUE`, the default, for no limit
  /// @throws IllegalArgumentException if `max` is less than one; the earlier limit stays
  public final void maxConnections(int max) {
    acceptor.maxConnections(max);
  }

  /// {@return how many accepted connections this side has not closed} Never a suspension point.
  public final int connections() {
    return acceptor.connections();
  }

  // The end.

  /// Closes the channel after opening has failed.
  static void close(@Nullable ServerSocketChannel channel) throws IOException {
    if (channel != null) {
      channel.close();
    }
  }

  /// Stops listening and frees the address at once. A waiting acceptor fails with a
  /// [ChannelClosedException]. Connections that were not accepted are reset. Never a suspension
  /// point. Later calls do nothing.
  @Override
  public final void close() throws IOException {
    reactor.checkThread();
    guard.close();
  }

  /// {@return whether this side has not closed the listener} Never a suspension point.
  public final boolean isOpen() {
    return channel.isOpen();
  }
}
