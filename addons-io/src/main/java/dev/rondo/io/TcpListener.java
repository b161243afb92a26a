package dev.rondo.io;

import dev.rondo.io.internal.channel.Addresses;
import dev.rondo.io.internal.channel.Reactor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Objects;

/// A TCP socket that accepts connections. Made by [WaitForIO#listen(int)].
///
/// Confined to the scheduler's thread.
public final class TcpListener extends Listener<TcpSocket> {

  private final InetSocketAddress localAddress;

  TcpListener(Reactor reactor, ServerSocketChannel channel, InetSocketAddress address)
      throws IOException {
    super(reactor, channel, text(address), () -> {});
    this.localAddress = address;
  }

  static TcpListener open(
      Reactor reactor, SocketAddress address, int backlog, SocketOptions options)
      throws IOException {
    Objects.requireNonNull(address, "address is null");
    Objects.requireNonNull(options, "options is null");
    if (backlog < 1) {
      throw new IllegalArgumentException("backlog must be at least 1: backlog=" + backlog);
    }
    if (!(address instanceof InetSocketAddress inet)) {
      throw new IllegalArgumentException(
          "address must be an InetSocketAddress; for a Unix domain socket use"
              + " UnixListener.open(..): address="
              + address,
          new UnsupportedAddressTypeException());
    }
    if (inet.isUnresolved()) {
      throw new IllegalArgumentException(
          "address must be resolved, with resolve(..) for instance: address=" + address);
    }
    ServerSocketChannel channel = null;
    try {
      channel = options.applyTo(reactor.provider().openServerSocketChannel());
      channel.configureBlocking(false);
      channel.bind(address, backlog);
      var bound = (InetSocketAddress) channel.getLocalAddress();
      return new TcpListener(reactor, channel, bound);
    } catch (IOException e) {
      close(channel);
      throw IoFailures.INSTANCE.of("listen on " + Addresses.text(inet), e);
    } catch (RuntimeException e) {
      close(channel);
      throw e;
    }
  }

  @Override
  TcpSocket socketOf(SocketChannel connection) throws IOException {
    return TcpSocket.of(reactor, connection);
  }

  /// {@return the address on which it listens, even after closing} Never a suspension point.
  public InetSocketAddress localAddress() {
    return localAddress;
  }

  /// {@return the port on which it listens, even after closing} Never a suspension point.
  public int port() {
    return localAddress.getPort();
  }

  private static String text(InetSocketAddress address) {
    return "listener " + Addresses.text(address);
  }

  @Override
  public String toString() {
    return text(localAddress);
  }
}
