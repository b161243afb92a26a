package dev.rondo.simulation.internal.nio;

import dev.rondo.simulation.internal.net.Host;
import dev.rondo.simulation.internal.net.UnixConnection;
import dev.rondo.simulation.internal.net.UnixListener;
import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A listening Unix socket of a simulated host.
final class SimulatedUnixServerChannel
    extends SimulatedListenerChannel<UnixDomainSocketAddress, UnixConnection> {

  private final UnixListener listener;

  SimulatedUnixServerChannel(SelectorProvider provider, Host host) throws IOException {
    this(provider, host, new UnixListener(host));
  }

  private SimulatedUnixServerChannel(SelectorProvider provider, Host host, UnixListener listener)
      throws IOException {
    super(provider, host, listener, Options.ofUnixListener());
    this.listener = listener;
  }

  UnixListener listener() {
    return listener;
  }

  @Override
  public ServerSocket socket() {
    throw new UnsupportedOperationException("a Unix socket has no java.net.ServerSocket");
  }

  @Override
  UnixDomainSocketAddress listen(@Nullable SocketAddress wanted, int backlog) throws IOException {
    Path path = wanted == null ? host.unixNames().free() : Addresses.unix(wanted).getPath();
    if (path.toString().isEmpty()) {
      throw new BindException("Server socket cannot bind to unnamed address");
    }
    listener.listen(path, backlog);
    return UnixDomainSocketAddress.of(path);
  }

  @Override
  SocketChannel accepted(UnixConnection connection) throws IOException {
    return SimulatedUnixChannel.accepted(provider(), host, connection);
  }
}
