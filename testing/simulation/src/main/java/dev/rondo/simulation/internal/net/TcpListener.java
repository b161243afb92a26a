package dev.rondo.simulation.internal.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A listening socket: connections wait here to be accepted.
public final class TcpListener extends ListenerEndpoint<TcpConnection> {

  private final Host host;
  private final Set<TcpConnection> halfOpen = new LinkedHashSet<>();

  private Ports.@Nullable Binding<Endpoint> binding;

  /// Creates a socket that does not listen yet.
  ///
  /// @param host whose port it gets
  public TcpListener(Host host) {
    super(BufferSizes.ofStream());
    this.host = host;
  }

  /// Binds and begins to listen.
  ///
  /// @param address port 0 for any free one
  /// @param reuseAddress `SO_REUSEADDR`
  /// @param reusePort `SO_REUSEPORT`
  /// @param length how many connections may wait, and one more
  /// @return the address with its port
  /// @throws IOException if the address is in use, or no address of this host
  public InetSocketAddress listen(
      InetSocketAddress address, boolean reuseAddress, boolean reusePort, int length)
      throws IOException {
    if (!host.hasAddress(address.getAddress())) {
      throw SystemError.ADDRESS_NOT_AVAILABLE.exception();
    }
    Ports.Binding<Endpoint> made = host.tcpPorts().bind(this, address, reuseAddress, reusePort);
    if (made == null) {
      throw SystemError.ADDRESS_IN_USE.exception();
    }
    if (!host.tcpPorts().listen(made)) {
      host.tcpPorts().release(made);
      throw SystemError.ADDRESS_IN_USE.exception();
    }
    binding = made;
    backlog(length);
    return made.address;
  }

  @Override
  int queued() {
    return super.queued() + halfOpen.size();
  }

  /// A peer begins to connect. If there is no room, it tries again later.
  void arrived(Flow flow, Segment syn) {
    Ports.Binding<Endpoint> own = binding;
    if (own == null || !hasRoom()) {
      return;
    }
    var connection = new TcpConnection(host);
    connection.sizes().copyFrom(sizes());
    var child =
        new Ports.Binding<Endpoint>(connection, flow.local(), own.reuseAddress, own.reusePort);
    host.tcpPorts().adopt(child);
    halfOpen.add(connection);
    connection.answer(flow, syn, child, this);
  }

  void established(TcpConnection connection) {
    halfOpen.remove(connection);
    add(connection);
  }

  void failed(TcpConnection connection) {
    halfOpen.remove(connection);
  }

  @Override
  boolean isListening() {
    return binding != null;
  }

  @Override
  public void close() {
    Ports.Binding<Endpoint> own = binding;
    binding = null;
    if (own != null) {
      host.tcpPorts().release(own);
      for (TcpConnection each : List.copyOf(halfOpen)) {
        each.abort();
      }
      abortAll();
    }
  }
}
