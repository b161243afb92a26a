package dev.rondo.simulation.internal.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// The port of a TCP connection on its host, and its peer.
final class TcpAddresses {

  private final Host host;
  private final TcpConnection connection;

  private Ports.@Nullable Binding<Endpoint> binding;

  /// Null until it connects.
  private @Nullable Flow flow;

  /// Null until it was looked up and found: a host keeps its addresses.
  private @Nullable Host peerHost;

  TcpAddresses(Host host, TcpConnection connection) {
    this.host = host;
    this.connection = connection;
  }

  @Nullable Flow flow() {
    return flow;
  }

  @Nullable InetSocketAddress local() {
    Flow known = flow;
    if (known != null) {
      return known.local();
    }
    Ports.Binding<Endpoint> bound = binding;
    return bound == null ? null : bound.address;
  }

  /// Binds it to an address of this host.
  ///
  /// @throws IOException if the address is in use, or no address of this host
  void bind(InetSocketAddress address, boolean reuseAddress, boolean reusePort) throws IOException {
    if (!host.hasAddress(address.getAddress())) {
      throw SystemError.ADDRESS_NOT_AVAILABLE.exception();
    }
    binding = host.tcpPorts().bind(connection, address, reuseAddress, reusePort);
    if (binding == null) {
      throw SystemError.ADDRESS_IN_USE.exception();
    }
  }

  /// Receives from a peer from now on; binds it to a free port if it is not bound.
  ///
  /// @throws IOException if there is no port left, the two addresses have a connection already, or
  ///   this host has no address of the peer's family
  void connect(InetSocketAddress remote) throws IOException {
    host.requireRoute(remote.getAddress());
    InetAddress source = host.sourceFor(remote.getAddress());
    if (binding == null) {
      bind(new InetSocketAddress(source, 0), false, false);
    }
    Ports.Binding<Endpoint> bound = binding;
    if (bound == null) {
      throw SystemError.ADDRESS_NOT_AVAILABLE.exception();
    }
    InetSocketAddress local =
        bound.address.getAddress().isAnyLocalAddress()
            ? new InetSocketAddress(source, bound.address.getPort())
            : bound.address;
    var wanted = new Flow(local, remote);
    TcpConnection other = host.connection(wanted);
    if (other != null && !other.makesWay()) {
      throw SystemError.ADDRESS_NOT_AVAILABLE.exception();
    }
    put(wanted);
  }

  /// Receives from a peer that connects to a listener.
  void adopt(Flow wanted, Ports.Binding<Endpoint> bound) {
    binding = bound;
    put(wanted);
  }

  private void put(Flow wanted) {
    flow = wanted;
    host.put(wanted, connection);
  }

  /// Receives nothing any more.
  void remove() {
    Flow own = flow;
    if (own != null) {
      host.remove(own, connection);
    }
  }

  void freePort() {
    Ports.Binding<Endpoint> bound = binding;
    if (bound != null) {
      binding = null;
      host.tcpPorts().release(bound);
    }
  }

  /// {@return the host of the peer; null if no host has its address}
  @Nullable Host peerHost() {
    Flow own = flow;
    if (peerHost == null && own != null) {
      peerHost = host.network().route(host, own.remote().getAddress());
    }
    return peerHost;
  }

  /// {@return the peer, if it knows of this connection}
  @Nullable TcpConnection peer() {
    Flow own = flow;
    Host there = peerHost();
    return own == null || there == null ? null : there.connection(own.reversed());
  }

  /// {@return whether the peer does not answer, as things are}
  boolean isPeerGone() {
    Host there = peerHost();
    return there == null || peer() == null || !host.network().isOpen(host, there);
  }
}
