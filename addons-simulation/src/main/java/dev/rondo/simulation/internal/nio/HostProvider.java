package dev.rondo.simulation.internal.nio;

import static java.util.Objects.requireNonNull;

import dev.rondo.simulation.internal.net.Host;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;

/// The channels and selectors of a simulated host.
public final class HostProvider extends SelectorProvider {

  private final Host host;

  /// Creates the provider of a host.
  ///
  /// @param host whose ports and descriptors are used
  public HostProvider(Host host) {
    this.host = host;
  }

  private static void requireInternet(ProtocolFamily family) {
    if (requireNonNull(family) != StandardProtocolFamily.INET
        && family != StandardProtocolFamily.INET6) {
      throw new UnsupportedOperationException(
          "a simulated host has sockets of INET and INET6 only: family=" + family);
    }
  }

  @Override
  public AbstractSelector openSelector() throws IOException {
    return new SimulatedSelector(this, host);
  }

  @Override
  public SocketChannel openSocketChannel() throws IOException {
    return new SimulatedSocketChannel(this, host);
  }

  @Override
  public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
    requireInternet(family);
    return openSocketChannel();
  }

  @Override
  public ServerSocketChannel openServerSocketChannel() throws IOException {
    return new SimulatedServerChannel(this, host);
  }

  @Override
  public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
    requireInternet(family);
    return openServerSocketChannel();
  }

  @Override
  public DatagramChannel openDatagramChannel() throws IOException {
    return new SimulatedDatagramChannel(this, host);
  }

  @Override
  public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
    requireInternet(family);
    return openDatagramChannel();
  }

  @Override
  public Pipe openPipe() throws IOException {
    return new SimulatedPipe(this, host);
  }

  @Override
  public String toString() {
    return "provider of host '" + host + "'";
  }
}
