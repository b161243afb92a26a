package dev.rondo.simulation.internal.nio;

import static java.util.Objects.requireNonNull;

import dev.rondo.io.internal.lent.UnixNamespace;
import dev.rondo.simulation.internal.net.Host;
import dev.rondo.simulation.internal.net.UnixListener;
import java.io.Closeable;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/// The channels and selectors of a simulated host.
public final class HostProvider extends SelectorProvider implements UnixNamespace {

  private final Host host;

  /// Creates the provider of a host.
  ///
  /// @param host whose ports and descriptors are used
  public HostProvider(Host host) {
    this.host = host;
  }

  private static boolean isUnix(ProtocolFamily family) {
    return requireNonNull(family) == StandardProtocolFamily.UNIX;
  }

  private static void requireInternet(ProtocolFamily family) {
    if (requireNonNull(family) != StandardProtocolFamily.INET
        && family != StandardProtocolFamily.INET6) {
      throw new UnsupportedOperationException(
          "a simulated host has no such sockets: family=" + family);
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
    if (isUnix(family)) {
      return new SimulatedUnixChannel(this, host);
    }
    requireInternet(family);
    return openSocketChannel();
  }

  @Override
  public ServerSocketChannel openServerSocketChannel() throws IOException {
    return new SimulatedServerChannel(this, host);
  }

  @Override
  public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
    if (isUnix(family)) {
      return new SimulatedUnixServerChannel(this, host);
    }
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

  /// Permissions have no effect: all processes of a simulated host are of one user.
  @Override
  public Closeable bind(
      ServerSocketChannel channel, Path path, Set<PosixFilePermission> permissions, int backlog)
      throws IOException {
    channel.bind(UnixDomainSocketAddress.of(path), backlog);
    UnixListener listener = ((SimulatedUnixServerChannel) channel).listener();
    return () -> host.unixNames().remove(path, listener);
  }

  /// Removes the name of a Unix socket.
  ///
  /// @param name of any socket, or of none
  public void remove(Path name) {
    host.network().enter();
    host.unixNames().remove(name);
  }

  @Override
  public String toString() {
    return "provider of host '" + host + "'";
  }
}
