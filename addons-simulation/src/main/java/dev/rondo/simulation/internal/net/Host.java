package dev.rondo.simulation.internal.net;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The kernel of a host, as far as it concerns the network: its ports, connections and descriptors.
public final class Host {

  /// How long a connection that this side has closed first keeps its port, as RFC 9293 demands.
  private static final long TIME_WAIT_NANOS = 60_000_000_000L;

  private final Network network;
  private final String name;
  private final List<InetAddress> addresses;
  private final Ports<Endpoint> tcpPorts = new Ports<>();
  private final Ports<UdpEndpoint> udpPorts = new Ports<>();

  /// Never iterated.
  private final Map<Flow, TcpConnection> connections = new HashMap<>();

  private int maxDescriptors = Integer.MAX_VALUE;
  private int descriptors;

  Host(Network network, String name, List<InetAddress> addresses) {
    this.network = network;
    this.name = name;
    this.addresses = List.copyOf(addresses);
  }

  /// {@return the network that this host is in}
  public Network network() {
    return network;
  }

  /// {@return its own addresses, the first one is the source of what it sends}
  public List<InetAddress> addresses() {
    return addresses;
  }

  @Override
  public String toString() {
    return name;
  }

  // Descriptors.

  /// Limits how many descriptors may be open.
  ///
  /// @param max at least zero
  public void maxDescriptors(int max) {
    maxDescriptors = max;
  }

  /// {@return how many descriptors are open}
  public int descriptors() {
    return descriptors;
  }

  /// Opens descriptors.
  ///
  /// @param count how many
  /// @return whether there were so many left
  public boolean openDescriptors(int count) {
    if (count > maxDescriptors - descriptors) {
      return false;
    }
    descriptors += count;
    return true;
  }

  /// Closes descriptors.
  ///
  /// @param count how many
  public void closeDescriptors(int count) {
    descriptors -= count;
  }

  // Addresses.

  Timeline timeline() {
    return network.timeline();
  }

  Ports<Endpoint> tcpPorts() {
    return tcpPorts;
  }

  Ports<UdpEndpoint> udpPorts() {
    return udpPorts;
  }

  /// {@return whether an endpoint of this host may have the address}
  boolean hasAddress(InetAddress address) {
    return address.isAnyLocalAddress()
        || address.isLoopbackAddress()
        || addresses.contains(address);
  }

  /// {@return the address that packets to a destination come from}
  InetAddress sourceFor(InetAddress destination) {
    if (destination.isLoopbackAddress() || addresses.isEmpty()) {
      return destination.isLoopbackAddress() ? destination : InetAddress.getLoopbackAddress();
    }
    if (addresses.contains(destination)) {
      return destination;
    }
    return addresses.stream()
        .filter(own -> own.getClass() == destination.getClass())
        .findFirst()
        .orElse(addresses.getFirst());
  }

  // Connections.

  @Nullable TcpConnection connection(Flow flow) {
    return connections.get(flow);
  }

  void put(Flow flow, TcpConnection connection) {
    connections.put(flow, connection);
  }

  void remove(Flow flow, TcpConnection connection) {
    connections.remove(flow, connection);
  }

  /// Keeps the port of a connection until packets of it cannot be on their way any more.
  void waitBeforeRemoving(Flow flow, TcpConnection connection, Runnable then) {
    timeline()
        .after(
            TIME_WAIT_NANOS,
            () -> {
              remove(flow, connection);
              then.run();
            });
  }

  /// A segment has arrived.
  ///
  /// @return whether it was taken; if not, its sender sends it again
  boolean arrived(Segment segment) {
    Flow flow = segment.flow().reversed();
    TcpConnection connection = connections.get(flow);
    if (connection != null && connection.accepts(segment)) {
      connection.arrived(segment);
      return true;
    }
    if (segment.kind() == Segment.Kind.RST) {
      return true;
    }
    if (segment.kind() == Segment.Kind.SYN) {
      TcpListener listener = listener(flow.local());
      if (listener != null) {
        return listener.arrived(flow, segment);
      }
    }
    network.send(this, Segment.reset(flow));
    return true;
  }

  private @Nullable TcpListener listener(InetSocketAddress address) {
    List<TcpListener> listeners =
        tcpPorts.at(address).stream()
            .filter(binding -> binding.listening)
            .map(binding -> (TcpListener) binding.endpoint)
            .toList();
    TcpListener best = null;
    for (TcpListener each : listeners) {
      if (best == null || each.queued() < best.queued()) {
        best = each;
      }
    }
    return best;
  }
}
