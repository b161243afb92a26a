package dev.rondo.io;

import dev.rondo.io.internal.channel.Acceptor;
import dev.rondo.io.internal.channel.Reactor;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
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

  final Reactor reactor;
  final ServerSocketChannel channel;
  private final Acceptor<S> acceptor;

  /// @param channel bound
  /// @param name what messages call it
  Listener(Reactor reactor, ServerSocketChannel channel, String name) throws IOException {
    this.reactor = reactor;
    this.channel = channel;
    this.acceptor = new Acceptor<>(reactor, channel, name, this::socketOf);
  }

  private S socketOf(SocketChannel connection, Runnable released) throws IOException {
    S socket = socketOf(connection);
    socket.whenClosed(released);
    return socket;
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
    return acceptor.accept();
  }

  /// {@return accepting a connection, to be awaited with a limit or together with other things}
  /// Losing leaves the connection where it is. What comes out of the wait is as in [#accept()].
  public final Waitable<S> accepting() {
    return acceptor.accepting();
  }

  // Limits.

  /// Limits how many accepted connections may be open at once; an acceptor waits until one is
  /// closed. Never a suspension point.
  ///
  /// @param most at least one; `Integer.MAX_VALUE`, as at first, for no limit
  /// @throws IllegalArgumentException if it is less than one; the earlier one stands
  public final void maxConnections(int most) {
    acceptor.maxConnections(most);
  }

  /// {@return how many connections were accepted here and are not closed yet by this side} Never a
  /// suspension point.
  public final int connections() {
    return acceptor.connections();
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
    acceptor.close();
  }

  /// {@return whether it is not closed} Never a suspension point.
  public final boolean isOpen() {
    return channel.isOpen();
  }

  final <T> void applyOption(SocketOption<T> option, T value) throws IOException {
    reactor.checkThread();
    try {
      channel.setOption(option, value);
    } catch (ClosedChannelException e) {
      throw new ChannelClosedException("set " + option + " of " + this + ": it is closed");
    } catch (IOException e) {
      throw IoFailures.INSTANCE.of("set " + option + " of " + this, e);
    }
  }
}
