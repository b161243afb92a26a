package dev.rondo.io.internal.channel;

import dev.rondo.io.internal.Throwables;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import org.jspecify.annotations.Nullable;

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
    ConnectWait connect = begun(reactor, opener, address, peer);
    try {
      var _ = reactor.scheduler().host().awaitEvent(connect);
      connect.throwIfFailed();
      return factory.create(connect.channel, connect.registration);
    } catch (Throwable e) {
      connect.closeAfter(e);
      throw e;
    }
  }

  /// {@return a wait that connects and creates a socket} Connecting begins when the wait is armed.
  /// If the wait is lost, the channel is closed.
  ///
  /// @param <S> the kind of socket
  /// @param reactor of the current task's scheduler
  /// @param opener opens the channel
  /// @param address of the peer
  /// @param peer the channel's name in messages until it is connected
  /// @param factory creates the socket
  public static <S> Waitable<S> connecting(
      Reactor reactor,
      ChannelOpener opener,
      SocketAddress address,
      String peer,
      SocketFactory<S> factory) {
    return Waitable.guard(() -> {
      var wait = new Connecting(reactor, opener, address, peer);
      return wait.map(connect -> connect.socket(factory));
    });
  }

  /// Connects for one wait, with a channel of its own while it is armed.
  private static final class Connecting implements Waitable<ConnectWait> {

    private final Reactor reactor;
    private final ChannelOpener opener;
    private final SocketAddress address;
    private final String peer;
    private @Nullable ConnectWait begun;

    Connecting(Reactor reactor, ChannelOpener opener, SocketAddress address, String peer) {
      this.reactor = reactor;
      this.opener = opener;
      this.address = address;
      this.peer = peer;
    }

    @Override
    public void arm(Waiter<? super ConnectWait> waiter) {
      ConnectWait connect;
      try {
        connect = begun(reactor, opener, address, peer);
      } catch (IOException e) {
        throw Throwables.<RuntimeException>rethrow(e);
      }
      begun = connect;
      Waiter<? super ChannelWait> below = below(waiter);
      if (!connect.poll(below)) { // it may be connected already, which no selector reports
        connect.arm(below);
      }
    }

    @Override
    public void disarm(Waiter<? super ConnectWait> waiter) {
      ConnectWait connect = begun;
      if (connect != null) {
        begun = null;
        connect.disarm(below(waiter));
        try {
          connect.registration.close();
        } catch (IOException e) {
          throw Throwables.<RuntimeException>rethrow(e);
        }
      }
    }

    /// A wait for a channel fires its waiter with itself.
    @SuppressWarnings("unchecked")
    private static Waiter<? super ChannelWait> below(Waiter<? super ConnectWait> waiter) {
      return (Waiter<? super ChannelWait>) waiter;
    }

    @Override
    public Scheduler scheduler() {
      return reactor.scheduler();
    }

    @Override
    public String toString() {
      return "connect to " + peer;
    }
  }

  /// Opens a channel and begins to connect it.
  private static ConnectWait begun(
      Reactor reactor, ChannelOpener opener, SocketAddress address, String peer)
      throws IOException {
    SocketChannel channel;
    try {
      channel = opener.open();
    } catch (IOException e) {
      throw reactor.failures().of("connect to " + peer, e); // no descriptor left, most likely
    }
    ConnectWait connect;
    try {
      channel.configureBlocking(false);
      connect = new ConnectWait(channel, reactor.register(channel, peer));
    } catch (Throwable e) {
      close(channel, e);
      throw e;
    }
    try {
      connect.begin(address);
    } catch (Throwable e) {
      connect.closeAfter(e);
      throw e;
    }
    return connect;
  }

  private static void close(SocketChannel channel, Throwable why) {
    try {
      channel.close();
    } catch (IOException suppressed) {
      why.addSuppressed(suppressed);
    }
  }

  private void closeAfter(Throwable why) {
    try {
      registration.close();
    } catch (IOException suppressed) {
      why.addSuppressed(suppressed);
    }
  }

  /// In the waiting task, which has won.
  private <S> S socket(SocketFactory<S> factory) {
    try {
      throwIfFailed();
      return factory.create(channel, registration);
    } catch (Throwable e) {
      closeAfter(e);
      throw Throwables.<RuntimeException>rethrow(e);
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
