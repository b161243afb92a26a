package dev.rondo.simulation.internal.net;

import dev.rondo.simulation.internal.ContentDigest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The kernel of a host, as far as it concerns the network: its ports, connections and descriptors.
///
/// | from | to | because |
/// |---|---|---|
/// | RUNNING | CRASHED | the program was killed |
/// | RUNNING, CRASHED | OFF | the power is gone |
/// | CRASHED, OFF | RUNNING | a restart |
public final class Host {

  private enum State {
    RUNNING("is running"),
    CRASHED("has crashed"),
    OFF("is off");

    private final String text;

    State(String text) {
      this.text = text;
    }
  }

  private final Network network;
  private final int number;
  private final String name;
  private final List<InetAddress> addresses;
  private final Ports<Endpoint> tcpPorts = new Ports<>();
  private final Ports<UdpEndpoint> udpPorts = new Ports<>();

  private final UnixNames unixNames = new UnixNames();

  private final Map<Flow, TcpConnection> connections = new LinkedHashMap<>();

  /// The links from here that were used or set.
  private final Map<Host, Link> links = new HashMap<>();

  private final OpenFiles files = new OpenFiles();

  /// Receives the bytes that its program writes; null if no digest covers them.
  private @Nullable ContentDigest contents;

  private State state = State.RUNNING;

  /// Called when a selector of this host may have something to select.
  private Runnable readiness = () -> {};

  /// @param number of this host alone
  Host(Network network, int number, String name, List<InetAddress> addresses) {
    this.network = network;
    this.number = number;
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

  /// {@return the links from this host, by their other ends}
  Map<Host, Link> links() {
    return links;
  }

  /// Adds all bytes that its program writes to sockets from now on to a digest.
  ///
  /// @param added the only one
  public void contents(ContentDigest added) {
    contents = added;
  }

  /// Its program has written bytes to a socket.
  ///
  /// @param source whose bytes up to its position they are
  /// @param from where they begin
  public void written(ByteBuffer source, int from) {
    ContentDigest own = contents;
    if (own != null && source.position() > from) {
      own.add(source, from);
    }
  }

  /// The same in each run, unlike that of [Object].
  @Override
  public int hashCode() {
    return number;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public String toString() {
    return name;
  }

  /// {@return the descriptors of its program}
  public OpenFiles files() {
    return files;
  }

  // Readiness.

  /// Sets the action for when a selector of this host may have something to select. There is one.
  ///
  /// @param action quick
  public void whenReady(Runnable action) {
    readiness = action;
  }

  /// A selector of this host may have something to select.
  public void mayBeReady() {
    readiness.run();
  }

  // Failing.

  /// {@return whether its program runs}
  public boolean isRunning() {
    return state == State.RUNNING;
  }

  /// {@return whether it sends and receives}
  public boolean isUp() {
    return state != State.OFF;
  }

  /// {@return how it is, for a message}
  public String condition() {
    return state.text;
  }

  /// Kills the program: the kernel closes what it had open.
  public void crash() {
    state = State.CRASHED;
    files.closeAll();
  }

  /// Stops the kernel, too: all it knew is lost, and nothing is sent.
  public void powerOff() {
    state = State.OFF;
    files.closeAll();
    List.copyOf(connections.values()).forEach(TcpConnection::vanish);
    connections.clear();
    tcpPorts.clear();
    udpPorts.clear();
  }

  /// Lets a program run again.
  public void restart() {
    state = State.RUNNING;
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

  /// {@return the names of its Unix sockets}
  public UnixNames unixNames() {
    return unixNames;
  }

  /// {@return whether an endpoint of this host may have the address}
  boolean hasAddress(InetAddress address) {
    return address.isAnyLocalAddress()
        || address.isLoopbackAddress()
        || addresses.contains(address);
  }

  /// Checks that this host has an address of the family of a destination.
  ///
  /// @throws IOException if it has addresses, and none of that family
  void requireRoute(InetAddress destination) throws IOException {
    if (!destination.isLoopbackAddress()
        && !destination.isMulticastAddress()
        && !addresses.isEmpty()
        && addresses.stream().noneMatch(own -> own.getClass() == destination.getClass())) {
      throw SystemError.NETWORK_UNREACHABLE.exception();
    }
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

  /// A segment has arrived.
  void arrived(Segment segment) {
    Flow flow = segment.flow().reversed();
    TcpConnection connection = connections.get(flow);
    if (connection != null && !connection.makesWayFor(segment)) {
      connection.arrived(segment);
    } else if (!segment.has(Segment.RST)) {
      TcpListener listener =
          segment.has(Segment.SYN) && !segment.has(Segment.ACK) ? listener(flow.local()) : null;
      if (listener != null) {
        listener.arrived(flow, segment);
      } else {
        refuse(segment);
      }
    }
  }

  private void refuse(Segment segment) {
    Host sender = network.route(this, segment.flow().local().getAddress());
    if (sender != null) {
      network.send(this, segment.refusal(sender));
    }
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
