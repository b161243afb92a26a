package dev.rondo.io.internal.channel;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;

/// Connecting a stream socket.
public final class ConnectWait extends ChannelWait {

  private final SocketChannel channel;

  private ConnectWait(SocketChannel channel, ChannelRegistration registration) {
    super(registration, SelectionKey.OP_CONNECT);
    this.channel = channel;
  }

  /// Opens a channel.
  @FunctionalInterface
  public interface ChannelOpener {

    /// {@return a channel that is not connected}
    ///
    /// @throws IOException if the system has no descriptors left
    SocketChannel open() throws IOException;
  }

  /// Creates a socket of a connected channel.
  ///
  /// @param <S> the kind of socket
  @FunctionalInterface
  public interface SocketFactory<S> {

    /// {@return the socket}
    ///
    /// @param channel connected
    /// @param registration the channel's
    /// @throws IOException if the connection has failed already
    S create(SocketChannel channel, ChannelRegistration registration) throws IOException;
  }

  /// Connects and creates a socket. A *possible* suspension point. On any failure, a cancellation
  /// included, the channel is closed.
  ///
  /// @param <S> the kind of socket
  /// @param reactor of the current task's scheduler
  /// @param opener opens the channel
  /// @param address of the peer
  /// @param peer the channel's name in messages until it is connected
  /// @param factory creates the socket
  /// @return the connected socket
  /// @throws IOException if it failed
  public static <S> S connect(
      Reactor reactor,
      ChannelOpener opener,
      SocketAddress address,
      String peer,
      SocketFactory<S> factory)
      throws IOException {
    SocketChannel channel;
    try {
      channel = opener.open();
    } catch (IOException e) {
      throw reactor.failures().of("connect to " + peer, e); // no descriptor left, most likely
    }
    ChannelRegistration registration = null;
    try {
      channel.configureBlocking(false);
      registration = reactor.register(channel, peer);
      var connect = new ConnectWait(channel, registration);
      connect.begin(address);
      do {
        reactor.scheduler().await(connect);
        connect.throwIfFailed();
      } while (!channel.isConnected()); // the task was scheduled directly: nothing to return yet
      return factory.create(channel, registration);
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

  private void begin(SocketAddress address) throws IOException {
    try {
      channel.connect(address);
    } catch (IOException e) {
      throw translated(e);
    } catch (UnresolvedAddressException | UnsupportedAddressTypeException e) {
      throw new IllegalArgumentException("cannot " + this + ": " + e, e);
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
