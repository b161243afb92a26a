package dev.rondo.simulation.internal.nio;

import dev.rondo.simulation.internal.net.Host;
import dev.rondo.simulation.internal.net.UnixConnection;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;
import org.jspecify.annotations.Nullable;

/// A Unix socket of a simulated host.
final class SimulatedUnixChannel extends SimulatedStreamChannel<UnixDomainSocketAddress> {

  /// The user of every simulated process, and its group: the one that runs the simulation.
  private record User(String getName) implements UserPrincipal, GroupPrincipal {

    @Override
    public String toString() {
      return getName;
    }
  }

  private final UnixConnection connection;

  SimulatedUnixChannel(SelectorProvider provider, Host host) throws IOException {
    this(provider, host, new UnixConnection(host));
  }

  private SimulatedUnixChannel(SelectorProvider provider, Host host, UnixConnection connection)
      throws IOException {
    super(provider, host, connection, Options.ofUnixSocket());
    this.connection = connection;
  }

  /// An accepted connection.
  ///
  /// @throws IOException if the host has no descriptor left
  static SimulatedUnixChannel accepted(
      SelectorProvider provider, Host host, UnixConnection connection) throws IOException {
    var channel = new SimulatedUnixChannel(provider, host, connection);
    channel.accepted(address(connection.name()), address(connection.peerName()));
    return channel;
  }

  private static @Nullable UnixDomainSocketAddress address(@Nullable Path name) {
    return name == null ? null : UnixDomainSocketAddress.of(name);
  }

  @Override
  public Socket socket() {
    throw new UnsupportedOperationException("a Unix socket has no java.net.Socket");
  }

  @Override
  void optionSet(SocketOption<?> name, Object value) {}

  @Override
  @SuppressWarnings("unchecked") // the type of the option
  public <T> T getOption(SocketOption<T> name) throws IOException {
    if (name != ExtendedSocketOptions.SO_PEERCRED) {
      return super.getOption(name);
    }
    requireOpen();
    if (!isConnected()) {
      throw new SocketException("an unconnected socket has no peer");
    }
    var user = new User(System.getProperty("user.name"));
    return (T) new UnixDomainPrincipal(user, user);
  }

  @Override
  UnixDomainSocketAddress bindTo(@Nullable SocketAddress wanted) throws IOException {
    UnixDomainSocketAddress address =
        wanted == null ? UnixDomainSocketAddress.of("") : Addresses.unix(wanted);
    connection.bind(address.getPath());
    return address;
  }

  @Override
  UnixDomainSocketAddress peerAt(SocketAddress wanted) {
    return Addresses.unix(wanted);
  }

  @Override
  UnixDomainSocketAddress beginConnecting(UnixDomainSocketAddress peer, long nanos)
      throws IOException {
    Path to = peer.getPath();
    if (isBlocking()) {
      await(host, () -> !isBacklogFull(to), nanos, "connect");
    }
    connection.connect(to);
    UnixDomainSocketAddress own = localAddress();
    return own == null ? UnixDomainSocketAddress.of("") : own;
  }

  private boolean isBacklogFull(Path to) {
    try {
      return !connection.mayConnect(to);
    } catch (IOException e) {
      return false; // connecting reports it
    }
  }

  @Override
  boolean connectsAtOnce() {
    return true;
  }
}
