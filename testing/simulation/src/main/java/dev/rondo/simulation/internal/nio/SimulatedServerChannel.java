package dev.rondo.simulation.internal.nio;

import dev.rondo.simulation.internal.net.Host;
import dev.rondo.simulation.internal.net.TcpConnection;
import dev.rondo.simulation.internal.net.TcpListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import org.jspecify.annotations.Nullable;

/// A listening TCP channel of a simulated host.
final class SimulatedServerChannel
    extends SimulatedListenerChannel<InetSocketAddress, TcpConnection> {

  private final TcpListener listener;
  private @Nullable ServerSocketAdaptor adaptor;

  SimulatedServerChannel(SelectorProvider provider, Host host) throws IOException {
    this(provider, host, new TcpListener(host));
  }

  private SimulatedServerChannel(SelectorProvider provider, Host host, TcpListener listener)
      throws IOException {
    super(provider, host, listener, Options.ofListener(listener.sizes().receive()));
    this.listener = listener;
  }

  @Override
  public ServerSocket socket() {
    ServerSocketAdaptor known = adaptor;
    if (known == null) {
      known = ServerSocketAdaptor.of(this);
      adaptor = known;
    }
    return known;
  }

  @Override
  InetSocketAddress listen(@Nullable SocketAddress wanted, int backlog) throws IOException {
    return listener.listen(
        Addresses.toBind(wanted),
        options.isSet(StandardSocketOptions.SO_REUSEADDR),
        options.isSet(StandardSocketOptions.SO_REUSEPORT),
        backlog);
  }

  @Override
  SocketChannel accepted(TcpConnection connection) throws IOException {
    return SimulatedSocketChannel.accepted(provider(), host, connection);
  }
}
