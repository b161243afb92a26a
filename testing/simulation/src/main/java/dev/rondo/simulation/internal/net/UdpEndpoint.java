package dev.rondo.simulation.internal.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A UDP socket (RFC 768), as Linux has it.
public final class UdpEndpoint extends Endpoint {

  /// The most bytes a datagram over IPv4 can have.
  public static final int LARGEST_BYTES = 65_507;

  /// What Linux counts for a waiting datagram besides its bytes.
  private static final int OVERHEAD_BYTES = 768;

  private static final InetAddress LIMITED_BROADCAST = limitedBroadcast();

  private record Waiting(InetSocketAddress sender, ByteBuffer data) {}

  private final Host host;
  private final BufferSizes sizes = BufferSizes.ofDatagrams();
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final List<Membership> memberships = new ArrayList<>();

  private Ports.@Nullable Binding<UdpEndpoint> binding;
  private @Nullable InetSocketAddress connectedLocal;
  private @Nullable InetSocketAddress remote;
  private @Nullable SystemError error;
  private long waitingBytes;
  private boolean broadcasts;
  private boolean loopsBack = true;

  /// Creates a socket that is not bound.
  ///
  /// @param host where it is
  public UdpEndpoint(Host host) {
    this.host = host;
  }

  private static InetAddress limitedBroadcast() {
    try {
      return InetAddress.getByAddress(new byte[] {-1, -1, -1, -1});
    } catch (java.net.UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  /// {@return the sizes of its buffers}
  public BufferSizes sizes() {
    return sizes;
  }

  /// Sets `SO_BROADCAST`.
  ///
  /// @param allowed whether it may send to broadcast addresses
  public void broadcasts(boolean allowed) {
    broadcasts = allowed;
  }

  /// Sets `IP_MULTICAST_LOOP`.
  ///
  /// @param wanted whether members on this host receive what it sends
  public void loopsBack(boolean wanted) {
    loopsBack = wanted;
  }

  // Addresses.

  /// Binds it to an address of this host, or of a multicast group.
  ///
  /// @param address port 0 for any free one
  /// @param reuseAddress `SO_REUSEADDR`
  /// @param reusePort `SO_REUSEPORT`
  /// @throws IOException if the address is in use, or no address of this host
  public void bind(InetSocketAddress address, boolean reuseAddress, boolean reusePort)
      throws IOException {
    InetAddress ip = address.getAddress();
    if (!host.hasAddress(ip) && !ip.isMulticastAddress()) {
      throw SystemError.ADDRESS_NOT_AVAILABLE.exception();
    }
    binding = host.udpPorts().bind(this, address, reuseAddress, reusePort);
    if (binding == null) {
      throw SystemError.ADDRESS_IN_USE.exception();
    }
  }

  /// {@return this side's address; null if it is not bound}
  public @Nullable InetSocketAddress localAddress() {
    if (connectedLocal != null) {
      return connectedLocal;
    }
    return binding == null ? null : binding.address;
  }

  /// Receives from one peer only from now on, and learns that nothing listens there.
  ///
  /// @param peer null to end that
  public void connect(@Nullable InetSocketAddress peer) {
    Ports.Binding<UdpEndpoint> bound = binding;
    remote = peer;
    error = null;
    connectedLocal =
        peer == null || bound == null || !bound.address.getAddress().isAnyLocalAddress()
            ? null
            : new InetSocketAddress(host.sourceFor(peer.getAddress()), bound.address.getPort());
    if (peer != null) {
      waiting.removeIf(each -> !each.sender.equals(peer));
      waitingBytes = waiting.stream().mapToLong(UdpEndpoint::weight).sum();
    }
  }

  // Sending.

  /// Sends a datagram, which may get lost.
  ///
  /// @param source its bytes; its position moves
  /// @param to where to
  /// @throws IOException if an earlier datagram found nothing at its destination, this one is too
  ///   long, or this host has no address of the destination's family
  public void send(ByteBuffer source, InetSocketAddress to) throws IOException {
    throwError();
    if (source.remaining() > LARGEST_BYTES) {
      throw SystemError.MESSAGE_TOO_LONG.exception();
    }
    InetAddress ip = to.getAddress();
    if (ip.equals(LIMITED_BROADCAST) && !broadcasts) {
      throw SystemError.PERMISSION_DENIED.exception();
    }
    host.requireRoute(ip);
    Ports.Binding<UdpEndpoint> bound = binding;
    if (bound == null) {
      throw new IllegalStateException("not bound");
    }
    byte[] data = new byte[source.remaining()];
    source.get(data);
    InetAddress own = bound.address.getAddress();
    var sender =
        new InetSocketAddress(
            own.isAnyLocalAddress() || own.isMulticastAddress() ? host.sourceFor(ip) : own,
            bound.address.getPort());
    if (ip.isMulticastAddress() || ip.equals(LIMITED_BROADCAST)) {
      sendToMany(sender, to, data);
      return;
    }
    Host receiver = host.network().route(host, ip);
    if (receiver != null) {
      send(receiver, sender, to, data, () -> deliver(receiver, sender, to, data));
    }
  }

  private void send(
      Host receiver,
      InetSocketAddress sender,
      InetSocketAddress to,
      byte[] data,
      Runnable arrival) {
    ByteBuffer seen = ByteBuffer.wrap(data).asReadOnlyBuffer();
    var packet = new Datagram(receiver, Packet.Kind.DATAGRAM, sender, to, seen, arrival);
    host.network().send(host, packet);
  }

  private void sendToMany(InetSocketAddress sender, InetSocketAddress to, byte[] data) {
    for (Host each : host.network().hosts()) {
      if (each != host || loopsBack) {
        send(each, sender, to, data, () -> deliverToMany(each, sender, to, data));
      }
    }
  }

  private static void deliverToMany(
      Host receiver, InetSocketAddress sender, InetSocketAddress to, byte[] data) {
    boolean multicast = to.getAddress().isMulticastAddress();
    for (Ports.Binding<UdpEndpoint> each : receiver.udpPorts().at(to.getPort())) {
      InetAddress bound = each.address.getAddress();
      boolean addressed = bound.isAnyLocalAddress() || bound.equals(to.getAddress());
      if (addressed
          && (!multicast || each.endpoint.isMember(to.getAddress(), sender.getAddress()))) {
        each.endpoint.arrived(sender, data);
      }
    }
  }

  private void deliver(Host receiver, InetSocketAddress sender, InetSocketAddress to, byte[] data) {
    List<Ports.Binding<UdpEndpoint>> there = receiver.udpPorts().at(to);
    UdpEndpoint target = null;
    for (Ports.Binding<UdpEndpoint> each : there) {
      InetSocketAddress peer = each.endpoint.remote;
      if (peer == null && target == null) {
        target = each.endpoint;
      } else if (sender.equals(peer)) {
        target = each.endpoint;
        break;
      }
    }
    if (target != null) {
      target.arrived(sender, data);
    } else {
      var answer =
          new Datagram(
              host, Packet.Kind.UNREACHABLE, to, sender, Segment.NO_DATA, () -> unreachable(to));
      host.network().send(receiver, answer);
    }
  }

  private void unreachable(InetSocketAddress peer) {
    if (peer.equals(remote)) {
      error = SystemError.PORT_UNREACHABLE;
      changed();
    }
  }

  // Receiving.

  private void arrived(InetSocketAddress sender, byte[] data) {
    InetSocketAddress peer = remote;
    var datagram = new Waiting(sender, ByteBuffer.wrap(data));
    if ((peer == null || peer.equals(sender))
        && waitingBytes + weight(datagram) <= Math.max(sizes.receive(), weight(datagram))) {
      waiting.add(datagram);
      waitingBytes += weight(datagram);
      changed();
    }
  }

  private static long weight(Waiting datagram) {
    return (long) datagram.data.capacity() + OVERHEAD_BYTES;
  }

  /// {@return whether a receive has something to return or to throw}
  public boolean isReadable() {
    return !waiting.isEmpty() || error != null;
  }

  /// Receives a datagram; what does not fit is dropped.
  ///
  /// @param target where to
  /// @return the sender; null if nothing has arrived
  /// @throws IOException if an earlier datagram found nothing at its destination
  public @Nullable InetSocketAddress receive(ByteBuffer target) throws IOException {
    throwError();
    Waiting first = waiting.poll();
    if (first == null) {
      return null;
    }
    waitingBytes -= weight(first);
    target.put(first.data.slice(0, Math.min(first.data.capacity(), target.remaining())));
    return first.sender;
  }

  private void throwError() throws IOException {
    SystemError pending = error;
    if (pending != null) {
      error = null;
      throw pending.exception();
    }
  }

  // Groups.

  /// Joins a multicast group.
  ///
  /// @param membership which one
  public void join(Membership membership) {
    memberships.add(membership);
  }

  /// Leaves a multicast group.
  ///
  /// @param membership given to [#join(Membership)]
  public void leave(Membership membership) {
    memberships.remove(membership);
  }

  private boolean isMember(InetAddress group, InetAddress sender) {
    return memberships.stream().anyMatch(each -> each.admits(group, sender));
  }

  // The end.

  /// Closes it; what waits to be received is lost.
  public void close() {
    Ports.Binding<UdpEndpoint> bound = binding;
    if (bound != null) {
      binding = null;
      host.udpPorts().release(bound);
    }
    waiting.clear();
    memberships.clear();
  }

  @Override
  public int poll() {
    return OUT | (waiting.isEmpty() ? 0 : IN) | (error == null ? 0 : ERROR);
  }
}
