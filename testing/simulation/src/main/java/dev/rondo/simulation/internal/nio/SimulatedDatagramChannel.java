package dev.rondo.simulation.internal.nio;

import dev.rondo.simulation.internal.net.Endpoint;
import dev.rondo.simulation.internal.net.Host;
import dev.rondo.simulation.internal.net.Membership;
import dev.rondo.simulation.internal.net.Timeline;
import dev.rondo.simulation.internal.net.UdpEndpoint;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A UDP channel of a simulated host.
final class SimulatedDatagramChannel extends DatagramChannel implements Selectable {

  private final Host host;
  private final UdpEndpoint endpoint;
  private final Descriptors descriptors;
  private final Options options;
  private final List<SimulatedMembership> memberships = new ArrayList<>();

  private @Nullable DatagramSocketAdaptor adaptor;
  private @Nullable InetSocketAddress remote;

  SimulatedDatagramChannel(SelectorProvider provider, Host host) throws IOException {
    super(provider);
    this.host = host;
    this.endpoint = new UdpEndpoint(host);
    this.descriptors = Descriptors.open(host, this, 1);
    this.options = Options.ofDatagrams(endpoint.sizes().send(), endpoint.sizes().receive());
  }

  private void enter() throws ClosedChannelException {
    requireOpen();
    host.network().enter();
  }

  @Override
  public DatagramSocket socket() {
    DatagramSocketAdaptor known = adaptor;
    if (known == null) {
      known = DatagramSocketAdaptor.of(this);
      adaptor = known;
    }
    return known;
  }

  // Options.

  @Override
  public Set<SocketOption<?>> supportedOptions() {
    return options.names();
  }

  @Override
  public <T> DatagramChannel setOption(SocketOption<T> name, T value) throws IOException {
    Objects.requireNonNull(name);
    requireOpen();
    options.set(name, value);
    if (name == StandardSocketOptions.SO_SNDBUF) {
      endpoint.sizes().send((Integer) value);
    } else if (name == StandardSocketOptions.SO_RCVBUF) {
      endpoint.sizes().receive((Integer) value);
    } else if (name == StandardSocketOptions.SO_BROADCAST) {
      endpoint.broadcasts((Boolean) value);
    } else if (name == StandardSocketOptions.IP_MULTICAST_LOOP) {
      endpoint.loopsBack((Boolean) value);
    }
    return this;
  }

  @Override
  public <T> T getOption(SocketOption<T> name) throws IOException {
    Objects.requireNonNull(name);
    requireOpen();
    return options.get(name);
  }

  // Addresses.

  @Override
  public DatagramChannel bind(@Nullable SocketAddress wanted) throws IOException {
    enter();
    if (endpoint.localAddress() != null) {
      throw new AlreadyBoundException();
    }
    bindTo(Addresses.toBind(wanted));
    return this;
  }

  private void bindTo(InetSocketAddress address) throws IOException {
    endpoint.bind(
        address,
        options.isSet(StandardSocketOptions.SO_REUSEADDR),
        options.isSet(StandardSocketOptions.SO_REUSEPORT));
  }

  private void bindIfNotBound() throws IOException {
    if (endpoint.localAddress() == null) {
      bindTo(new InetSocketAddress(0));
    }
  }

  @Override
  public @Nullable SocketAddress getLocalAddress() throws IOException {
    requireOpen();
    return endpoint.localAddress();
  }

  @Nullable InetSocketAddress localAddress() {
    return endpoint.localAddress();
  }

  @Override
  public @Nullable SocketAddress getRemoteAddress() throws IOException {
    requireOpen();
    return remote;
  }

  @Nullable InetSocketAddress remoteAddress() {
    return remote;
  }

  @Override
  public boolean isConnected() {
    return remote != null;
  }

  @Override
  public DatagramChannel connect(SocketAddress wanted) throws IOException {
    InetSocketAddress peer = Addresses.ofPeer(wanted);
    enter();
    if (isConnected()) {
      throw new AlreadyConnectedException();
    }
    bindIfNotBound();
    endpoint.connect(peer);
    remote = peer;
    return this;
  }

  @Override
  public DatagramChannel disconnect() throws IOException {
    if (isOpen() && isConnected()) {
      enter();
      endpoint.connect(null);
      remote = null;
    }
    return this;
  }

  // Receiving.

  @Override
  public @Nullable SocketAddress receive(ByteBuffer target) throws IOException {
    return receive(target, Timeline.NEVER);
  }

  /// Receives, and waits no longer than this in blocking mode.
  @Nullable InetSocketAddress receive(ByteBuffer target, long nanos) throws IOException {
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("Read-only buffer");
    }
    enter();
    bindIfNotBound();
    if (isBlocking()) {
      await(host, endpoint::isReadable, nanos, "Receive");
    }
    return endpoint.receive(target);
  }

  @Override
  public void waitBegins() {
    begin();
  }

  @Override
  public void waitEnds() throws AsynchronousCloseException {
    end(isOpen());
  }

  private InetSocketAddress requireConnected() throws ClosedChannelException {
    enter();
    InetSocketAddress peer = remote;
    if (peer == null) {
      throw new NotYetConnectedException();
    }
    return peer;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    requireConnected();
    int before = target.position();
    return receive(target) == null ? 0 : target.position() - before;
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, targets.length);
    requireConnected();
    ByteBuffer all = ByteBuffer.allocate(UdpEndpoint.LARGEST_BYTES);
    if (receive(all) == null) {
      return 0;
    }
    all.flip();
    long total = 0;
    for (int i = offset; i < offset + length; i++) {
      int count = Math.min(all.remaining(), targets[i].remaining());
      targets[i].put(all.slice(all.position(), count));
      all.position(all.position() + count);
      total += count;
    }
    return total;
  }

  // Sending.

  @Override
  public int send(ByteBuffer source, SocketAddress target) throws IOException {
    InetSocketAddress to = Addresses.ofPeer(target);
    enter();
    if (remote != null && !to.equals(remote)) {
      throw new AlreadyConnectedException();
    }
    return sendTo(source, to);
  }

  private int sendTo(ByteBuffer source, InetSocketAddress to) throws IOException {
    bindIfNotBound();
    int from = source.position();
    endpoint.send(source, to);
    host.written(source, from);
    return source.position() - from;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return sendTo(source, requireConnected());
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, sources.length);
    InetSocketAddress peer = requireConnected();
    int total = 0;
    for (int i = offset; i < offset + length; i++) {
      total += sources[i].remaining();
    }
    ByteBuffer all = ByteBuffer.allocate(total);
    for (int i = offset; i < offset + length; i++) {
      all.put(sources[i].duplicate());
    }
    int sent = sendTo(all.flip(), peer);
    for (int i = offset; i < offset + length; i++) {
      sources[i].position(sources[i].limit());
    }
    return sent;
  }

  // Groups.

  @Override
  public MembershipKey join(InetAddress group, NetworkInterface networkInterface)
      throws IOException {
    return join(group, networkInterface, new Membership(group, null), null);
  }

  @Override
  public MembershipKey join(
      InetAddress group, NetworkInterface networkInterface, InetAddress source) throws IOException {
    if (source.isAnyLocalAddress() || source.isMulticastAddress()) {
      throw new IllegalArgumentException("Source address is not a unicast address: " + source);
    }
    return join(group, networkInterface, new Membership(group, source), source);
  }

  private MembershipKey join(
      InetAddress group,
      NetworkInterface networkInterface,
      Membership membership,
      @Nullable InetAddress source)
      throws IOException {
    Objects.requireNonNull(networkInterface);
    if (!group.isMulticastAddress()) {
      throw new IllegalArgumentException("Group not a multicast address: " + group);
    }
    enter();
    SimulatedMembership first = null;
    for (SimulatedMembership each : memberships) {
      if (each.isFor(group, networkInterface)) {
        if (Objects.equals(each.sourceAddress(), source)) {
          return each;
        }
        first = each;
      }
    }
    if (first != null && (source == null || first.sourceAddress() == null)) {
      throw new IllegalStateException(
          "the channel is a member already, with other sources: group=" + group);
    }
    endpoint.join(membership);
    var made = new SimulatedMembership(this, group, networkInterface, source, membership);
    memberships.add(made);
    return made;
  }

  void leave(SimulatedMembership membership) {
    host.network().enter();
    if (memberships.remove(membership)) {
      endpoint.leave(membership.membership());
    }
  }

  boolean has(SimulatedMembership membership) {
    return memberships.contains(membership);
  }

  // Readiness.

  @Override
  public Endpoint endpoint() {
    return endpoint;
  }

  @Override
  public int ready(int bits, int interest) {
    if (Selectable.concernsAll(bits)) {
      return interest;
    }
    int ready = 0;
    if ((bits & Endpoint.IN) != 0) {
      ready |= SelectionKey.OP_READ;
    }
    if ((bits & Endpoint.OUT) != 0) {
      ready |= SelectionKey.OP_WRITE;
    }
    return ready & interest;
  }

  // The end.

  @Override
  protected void implConfigureBlocking(boolean block) {}

  @Override
  protected void implCloseSelectableChannel() {
    host.network().enter();
    memberships.clear();
    if (!isRegistered()) {
      kill();
    }
  }

  @Override
  public void kill() {
    if (descriptors.close()) {
      endpoint.close();
    }
  }

  @Override
  public String toString() {
    String state = !isOpen() ? "closed" : "local=" + endpoint.localAddress();
    return "java.nio.channels.DatagramChannel[%s%s]"
        .formatted(state, remote == null ? "" : ", remote=" + remote);
  }
}
