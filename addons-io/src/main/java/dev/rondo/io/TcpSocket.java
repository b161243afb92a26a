package dev.rondo.io;

import dev.rondo.io.internal.channel.Addresses;
import dev.rondo.io.internal.channel.ChannelRegistration;
import dev.rondo.io.internal.channel.ConnectWait;
import dev.rondo.io.internal.channel.Reactor;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Objects;

/// A TCP connection; see [StreamSocket].
///
/// `TCP_NODELAY` is set, so each write is sent at once: write whole messages, or use
/// [#bufferedOutput(int)].
///
/// Confined to the scheduler's thread. Made by [WaitForIO#connect(String, int)] and
/// [TcpListener#accept()].
public final class TcpSocket extends StreamSocket<TcpSocket> {

  private final InetSocketAddress localAddress;
  private final InetSocketAddress remoteAddress;

  private TcpSocket(Reactor reactor, SocketChannel channel, ChannelRegistration registration)
      throws IOException {
    super(reactor, channel, registration);
    this.localAddress = (InetSocketAddress) channel.getLocalAddress();
    this.remoteAddress = (InetSocketAddress) channel.getRemoteAddress();
    registration.rename(new Name(localAddress, remoteAddress));
  }

  /// The socket of an accepted connection. On failure the channel is closed.
  static TcpSocket of(Reactor reactor, SocketChannel channel) throws IOException {
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      return new TcpSocket(reactor, channel, reactor.register(channel, "connection"));
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  static TcpSocket connect(Reactor reactor, SocketAddress address, SocketOptions options)
      throws IOException {
    Objects.requireNonNull(address, "address is null");
    Objects.requireNonNull(options, "options is null");
    TcpSocket socket =
        ConnectWait.connect(
            reactor, opener(reactor, options), address, textOf(address), factory(reactor));
    return socket.openedHere();
  }

  static Waitable<TcpSocket> connecting(Reactor reactor, SocketAddress address) {
    Objects.requireNonNull(address, "address is null");
    return ConnectWait.connecting(
            reactor,
            opener(reactor, SocketOptions.NONE),
            address,
            textOf(address),
            factory(reactor))
        .map(TcpSocket::openedHere);
  }

  private static ConnectWait.ChannelOpener opener(Reactor reactor, SocketOptions options) {
    return () -> options.applyTo(reactor.provider().openSocketChannel());
  }

  private static ConnectWait.SocketFactory<TcpSocket> factory(Reactor reactor) {
    return (channel, registration) -> {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      return new TcpSocket(reactor, channel, registration);
    };
  }

  private static String textOf(SocketAddress address) {
    return address instanceof InetSocketAddress inet ? Addresses.text(inet) : "" + address;
  }

  @Override
  TcpSocket self() {
    return this;
  }

  /// {@return this side's address, even after closing} Never a suspension point.
  public InetSocketAddress localAddress() {
    return localAddress;
  }

  /// {@return the peer's address, even after closing} Never a suspension point.
  public InetSocketAddress remoteAddress() {
    return remoteAddress;
  }

  /// Takes the connection out of this scheduler, so that [WaitForIO#adopt(SocketChannel)] of
  /// another one can go on with it: a connection that becomes busy moves to another loop. This
  /// socket counts as closed from now on. The connection stays open, and no byte of it is lost.
  /// Nothing closes a connection that no scheduler adopts, except its channel's `close`.
  ///
  /// Bytes that [#bufferedOutput(int)] has not flushed are not sent. Timeouts stay behind. Never a
  /// suspension point.
  ///
  /// @return the connection, non-blocking
  /// @throws IllegalStateException if a task reads, writes or waits; if bytes were read ahead, as
  ///   [#readLine(int)] does, and not taken ([#tryRead(ByteBuffer)] takes them); if a direction is
  ///   shut down; or outside of tasks while the loop of a user interface is idle; the socket stays
  ///   as it was
  /// @throws ChannelClosedException if the socket is closed
  /// @throws IOException if the connection is broken, or the system has no descriptor left; the
  ///   socket stays as it was
  public SocketChannel detach() throws IOException {
    return release();
  }

  @Override
  public String toString() {
    return new Name(localAddress, remoteAddress).toString();
  }

  /// The text is made when a message needs it.
  private record Name(InetSocketAddress local, InetSocketAddress remote) {
    @Override
    public String toString() {
      return "socket " + Addresses.text(local) + " -> " + Addresses.text(remote);
    }
  }
}
