package dev.rondo.simulation.internal.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A listening socket: connections wait here to be accepted.
public final class TcpListener extends Endpoint {

  /// `somaxconn` of Linux.
  private static final int MAX_BACKLOG = 4096;

  private final Host host;
  private final BufferSizes sizes = BufferSizes.ofStream();
  private final Deque<TcpConnection> accepted = new ArrayDeque<>();
  private final Set<TcpConnection> halfOpen = new LinkedHashSet<>();

  private Ports.@Nullable Binding<Endpoint> binding;
  private int backlog;

  /// Creates a socket that does not listen yet.
  ///
  /// @param host whose port it gets
  public TcpListener(Host host) {
    this.host = host;
  }

  /// {@return the sizes that accepted connections inherit}
  public BufferSizes sizes() {
    return sizes;
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
    backlog = Math.min(length, MAX_BACKLOG);
    return made.address;
  }

  int queued() {
    return accepted.size() + halfOpen.size();
  }

  /// A peer begins to connect. If there is no room, it tries again later.
  void arrived(Flow flow, Segment syn) {
    Ports.Binding<Endpoint> own = binding;
    if (own == null || queued() > backlog) {
      return;
    }
    var connection = new TcpConnection(host);
    connection.sizes().copyFrom(sizes);
    var child =
        new Ports.Binding<Endpoint>(connection, flow.local(), own.reuseAddress, own.reusePort);
    host.tcpPorts().adopt(child);
    halfOpen.add(connection);
    connection.answer(flow, syn, child, this);
  }

  void established(TcpConnection connection) {
    halfOpen.remove(connection);
    accepted.add(connection);
    changed();
  }

  void failed(TcpConnection connection) {
    halfOpen.remove(connection);
  }

  /// {@return the connection that has waited longest; null if there is none}
  public @Nullable TcpConnection first() {
    return accepted.peek();
  }

  /// Removes that one: the program has it.
  public void removeFirst() {
    accepted.remove();
  }

  /// {@return whether a connection waits to be accepted}
  public boolean hasConnection() {
    return !accepted.isEmpty();
  }

  /// Ends listening; connections that wait are reset.
  public void close() {
    Ports.Binding<Endpoint> own = binding;
    binding = null;
    if (own != null) {
      host.tcpPorts().release(own);
      for (TcpConnection each : List.copyOf(halfOpen)) {
        each.abort();
      }
      accepted.forEach(TcpConnection::abort);
      accepted.clear();
    }
  }

  @Override
  public int poll() {
    if (binding == null) {
      return OUT | HANG_UP;
    }
    return accepted.isEmpty() ? 0 : IN;
  }
}
