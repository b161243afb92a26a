package dev.rondo.simulation.internal.nio;

import dev.rondo.simulation.internal.net.Host;
import dev.rondo.simulation.internal.net.KeepAlive;
import dev.rondo.simulation.internal.net.TcpConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/// A TCP channel of a simulated host.
final class SimulatedSocketChannel extends SimulatedStreamChannel<InetSocketAddress> {

  private final TcpConnection connection;
  private @Nullable SocketAdaptor adaptor;

  SimulatedSocketChannel(SelectorProvider provider, Host host) throws IOException {
    this(provider, host, new TcpConnection(host));
  }

  private SimulatedSocketChannel(SelectorProvider provider, Host host, TcpConnection connection)
      throws IOException {
    var options = Options.ofSocket(connection.sizes().send(), connection.sizes().receive());
    super(provider, host, connection, options);
    this.connection = connection;
  }

  /// An accepted connection.
  ///
  /// @throws IOException if the host has no descriptor left
  static SimulatedSocketChannel accepted(
      SelectorProvider provider, Host host, TcpConnection connection) throws IOException {
    var channel = new SimulatedSocketChannel(provider, host, connection);
    channel.accepted(connection.localAddress(), connection.remoteAddress());
    return channel;
  }

  @Override
  public Socket socket() {
    SocketAdaptor known = adaptor;
    if (known == null) {
      known = SocketAdaptor.of(this);
      adaptor = known;
    }
    return known;
  }

  @Override
  void optionSet(SocketOption<?> name, Object value) {
    KeepAlive keepAlive = connection.keepAlive();
    if (name == StandardSocketOptions.SO_KEEPALIVE) {
      keepAlive.enable((Boolean) value);
    } else if (name == ExtendedSocketOptions.TCP_KEEPIDLE) {
      keepAlive.idle((Integer) value);
    } else if (name == ExtendedSocketOptions.TCP_KEEPINTERVAL) {
      keepAlive.interval((Integer) value);
    } else if (name == ExtendedSocketOptions.TCP_KEEPCOUNT) {
      keepAlive.count((Integer) value);
    }
  }

  @Override
  InetSocketAddress bindTo(@Nullable SocketAddress wanted) throws IOException {
    connection.bind(
        Addresses.toBind(wanted),
        options.isSet(StandardSocketOptions.SO_REUSEADDR),
        options.isSet(StandardSocketOptions.SO_REUSEPORT));
    return own();
  }

  private InetSocketAddress own() {
    return Objects.requireNonNull(connection.localAddress());
  }

  @Override
  InetSocketAddress peerAt(SocketAddress wanted) {
    return Addresses.ofPeer(wanted);
  }

  @Override
  InetSocketAddress beginConnecting(InetSocketAddress peer, long nanos) throws IOException {
    connection.connect(peer);
    return own();
  }

  @Override
  boolean connectsAtOnce() {
    return false;
  }
}
