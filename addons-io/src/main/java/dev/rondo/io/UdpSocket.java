package dev.rondo.io;

import dev.rondo.io.internal.channel.Addresses;
import dev.rondo.io.internal.channel.ChannelRegistration;
import dev.rondo.io.internal.channel.DatagramReceiver;
import dev.rondo.io.internal.channel.DatagramSender;
import dev.rondo.io.internal.channel.LeakWatch;
import dev.rondo.io.internal.channel.Reactor;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A UDP socket, for straight-line code: receiving and sending suspend only the task that calls
/// them. One task at a time may receive; any number of tasks may send, first come, first served.
///
/// A datagram arrives whole or not at all, once, twice or never, and in any order, as in all of UDP
/// (RFC 768). A receive that is cancelled or times out takes no datagram.
///
/// Confined to the scheduler's thread.
public final class UdpSocket implements AutoCloseable {

  private final Reactor reactor;
  private final DatagramChannel channel;
  private final InetSocketAddress localAddress;
  private final DatagramReceiver<Datagram> receive;
  private final DatagramSender send;
  private final LeakWatch.Guard guard;

  /// Some may be dropped already.
  private final Set<MembershipKey> memberships = new HashSet<>();

  private UdpSocket(Reactor reactor, DatagramChannel channel) throws IOException {
    this.reactor = reactor;
    this.channel = channel;
    this.localAddress = (InetSocketAddress) channel.getLocalAddress();
    ChannelRegistration registration = reactor.register(channel, toString());
    this.receive = new DatagramReceiver<>(channel, registration, Datagram::new);
    this.send = new DatagramSender(channel, registration);
    receive.belongsTo(this);
    send.belongsTo(this);
    this.guard = registration.watch(this, registration::close);
    guard.openedHere();
  }

  /// Opens a socket on an address. Never a suspension point.
  ///
  /// @param io of the current scheduler
  /// @param address resolved; port 0 for any free port
  /// @return the socket, which the caller closes
  /// @throws java.net.BindException if the port is in use or not allowed; the message names it
  /// @throws IllegalArgumentException if the address is not resolved
  /// @throws IOException if opening fails otherwise; nothing stays open
  public static UdpSocket open(WaitForIO io, InetSocketAddress address) throws IOException {
    return open(io, address, SocketOptions.NONE);
  }

  /// Opens a socket on an address with options that it has before it is bound. Never a suspension
  /// point.
  ///
  /// @param io of the current scheduler
  /// @param address resolved; port 0 for any free port
  /// @param options for instance `SO_REUSEADDR`, with which the receivers of a multicast group
  ///   share a port; `SO_REUSEPORT`, `SO_BROADCAST`, `IP_MULTICAST_IF`, `IP_MULTICAST_TTL`,
  ///   `SO_RCVBUF`
  /// @return the socket, which the caller closes
  /// @throws UnsupportedOperationException if UDP sockets have no such option; nothing stays open
  /// @throws IllegalArgumentException if the address is not resolved, or an option does not take
  ///   its value; nothing stays open
  /// @throws IOException as [#open(WaitForIO, InetSocketAddress)] does
  public static UdpSocket open(WaitForIO io, InetSocketAddress address, SocketOptions options)
      throws IOException {
    Objects.requireNonNull(io, "io is null");
    Objects.requireNonNull(address, "address is null");
    Objects.requireNonNull(options, "options is null");
    Reactor reactor = io.reactor();
    reactor.checkThread();
    requireResolved(address);
    DatagramChannel channel = null;
    try {
      channel = options.applyTo(reactor.provider().openDatagramChannel());
      channel.configureBlocking(false);
      channel.bind(address);
      return new UdpSocket(reactor, channel);
    } catch (IOException | RuntimeException e) {
      if (channel != null) {
        channel.close();
      }
      if (e instanceof IOException why) {
        throw IoFailures.INSTANCE.of("open a UDP socket on " + Addresses.text(address), why);
      }
      throw e;
    }
  }

  static void requireResolved(InetSocketAddress address) {
    if (address.isUnresolved()) {
      throw new IllegalArgumentException(
          "address must be resolved, with resolve(..) for instance: address=" + address);
    }
  }

  // Receiving.

  /// Receives a datagram. A *possible* suspension point: an eager operation.
  ///
  /// @param dst where to; its position moves by the bytes put there
  /// @return the sender and length of the datagram, and whether it was truncated
  /// @throws ChannelClosedException if this side has closed the socket, before or during the
  ///   operation
  /// @throws java.net.PortUnreachableException if the socket is connected and nothing listened at
  ///   the target of an earlier datagram
  /// @throws dev.rondo.scheduler.TimedOutException after the [#receiveTimeout(Duration)]
  /// @throws IllegalStateException if another task is receiving, which is not affected
  /// @throws IllegalArgumentException if `dst` is read-only; nothing was received
  /// @throws IOException if the system cannot
  public Datagram receive(ByteBuffer dst) throws IOException {
    reactor.checkThread();
    return receive.receive(dst);
  }

  /// {@return a wait that receives a datagram, to be awaited with a limit or as a branch of a
  /// choice} A branch that is not taken receives nothing. The wait returns or throws what
  /// [#receive] does; the [#receiveTimeout(Duration)] does not apply.
  ///
  /// @param dst where to
  public Waitable<Datagram> receiving(ByteBuffer dst) {
    return receive.receiving(dst);
  }

  /// Limits how long each receive may wait. Requires a timer, see `WaitForTime`. Never a suspension
  /// point.
  ///
  /// @param timeout more than zero; null for no limit, the default
  /// @return this socket
  /// @throws IllegalArgumentException if `timeout` is zero or negative; the earlier limit stays
  public UdpSocket receiveTimeout(@Nullable Duration timeout) {
    reactor.checkThread();
    receive.timeout(timeout);
    return this;
  }

  // Sending.

  /// Sends a datagram. A *possible* suspension point: an eager operation, which waits if the
  /// system's buffer is full, or until a send of another task has ended.
  ///
  /// @param src its remaining bytes are the datagram; all are taken, or none if an exception is
  ///   thrown
  /// @param target resolved
  /// @throws IllegalArgumentException if `src` is larger than a datagram can be (65,507 bytes;
  ///   65,527 by IPv6), or the target is not resolved
  /// @throws IllegalStateException if the socket is connected to another address
  /// @throws ChannelClosedException if this side has closed the socket, before or during the
  ///   operation
  /// @throws dev.rondo.scheduler.TimedOutException after the [#sendTimeout(Duration)]
  /// @throws IOException if the system refuses: no permission (to broadcast without `SO_BROADCAST`
  ///   for instance), no route
  public void send(ByteBuffer src, InetSocketAddress target) throws IOException {
    Objects.requireNonNull(src, "src is null");
    Objects.requireNonNull(target, "target is null");
    reactor.checkThread();
    requireResolved(target);
    send.send(src, target);
  }

  /// Sends a datagram to the address that the socket is connected to. A *possible* suspension
  /// point, as [#send(ByteBuffer, InetSocketAddress)].
  ///
  /// @param src not empty, because the JDK sends no empty datagram from a connected socket
  /// @throws java.net.PortUnreachableException if nothing listened at the target of an earlier
  ///   datagram; this one was not sent
  /// @throws IllegalStateException if the socket is not connected
  /// @throws IOException as [#send(ByteBuffer, InetSocketAddress)] does
  public void send(ByteBuffer src) throws IOException {
    Objects.requireNonNull(src, "src is null");
    reactor.checkThread();
    send.send(src, remoteAddress());
  }

  private InetSocketAddress remoteAddress() throws IOException {
    try {
      var peer = (InetSocketAddress) channel.getRemoteAddress();
      if (peer == null) {
        throw new IllegalStateException(
            this + " is not connected: pass a target to send(src, target)");
      }
      return peer;
    } catch (IOException e) {
      throw failed("send with ", e);
    }
  }

  /// Limits how long each send may wait for the sends of other tasks, and then for room in the
  /// system's buffer. Requires a timer, see `WaitForTime`. Never a suspension point.
  ///
  /// @param timeout of each of the two, more than zero; null for no limit, the default
  /// @return this socket
  /// @throws IllegalArgumentException if `timeout` is zero or negative; the earlier limit stays
  public UdpSocket sendTimeout(@Nullable Duration timeout) {
    reactor.checkThread();
    send.timeout(timeout);
    return this;
  }

  // Peers and groups.

  /// Connects the socket to a peer. The socket then receives from that peer only, sends to it, and
  /// reports if nothing listens there. Never a suspension point.
  ///
  /// @param peer resolved
  /// @return this socket
  /// @throws IllegalStateException if the socket is connected
  /// @throws ChannelClosedException if the socket is closed
  /// @throws IOException if the system refuses
  public UdpSocket connect(InetSocketAddress peer) throws IOException {
    Objects.requireNonNull(peer, "peer is null");
    reactor.checkThread();
    requireResolved(peer);
    try {
      channel.connect(peer);
      return this;
    } catch (AlreadyConnectedException e) {
      throw new IllegalStateException(
          this + " is connected to " + channel.getRemoteAddress() + ": disconnect() it first", e);
    } catch (IOException e) {
      throw failed("connect ", e);
    }
  }

  /// Ends the connection to a peer. Never a suspension point.
  ///
  /// @return this socket
  /// @throws ChannelClosedException if the socket is closed
  /// @throws IOException if the system refuses
  public UdpSocket disconnect() throws IOException {
    reactor.checkThread();
    if (!channel.isOpen()) {
      throw failed("disconnect ", new ClosedChannelException());
    }
    try {
      channel.disconnect();
      return this;
    } catch (IOException e) {
      throw failed("disconnect ", e);
    }
  }

  /// Joins a multicast group. Never a suspension point.
  ///
  /// @param group a multicast address
  /// @param network the interface to join by
  /// @return a key whose `drop()` leaves the group, as closing the socket does
  /// @throws IllegalArgumentException if `group` is not a multicast address, or has another family
  ///   than the socket
  /// @throws IllegalStateException if the socket is in the group already, for all sources or for
  ///   one; drop that key first
  /// @throws ChannelClosedException if the socket is closed
  /// @throws IOException if the system refuses
  public MembershipKey join(InetAddress group, NetworkInterface network) throws IOException {
    Objects.requireNonNull(group, "group is null");
    Objects.requireNonNull(network, "network is null");
    reactor.checkThread();
    try {
      return joined(channel.join(group, network));
    } catch (IOException e) {
      throw failed("join " + group.getHostAddress() + " by " + network.getName() + " with ", e);
    }
  }

  /// The JDK returns the same key for a second call.
  private MembershipKey joined(MembershipKey key) {
    memberships.removeIf(each -> !each.isValid());
    if (!memberships.add(key)) {
      throw new IllegalStateException(
          this + " is in group " + key.group().getHostAddress() + " already: drop that key first");
    }
    return key;
  }

  private IOException failed(String what, IOException e) {
    return e instanceof ClosedChannelException
        ? new ChannelClosedException(what + this + ": this side has closed it")
        : IoFailures.INSTANCE.of(what + this, e);
  }

  // Options, address, end.

  /// {@return this side's address, even after closing} Never a suspension point.
  public InetSocketAddress localAddress() {
    return localAddress;
  }

  /// Closes the socket; its port is free. Waits fail at once with a [ChannelClosedException]. Never
  /// a suspension point. Later calls do nothing.
  @Override
  public void close() throws IOException {
    reactor.checkThread();
    guard.close();
    boolean _ = reactor.releaseClosed(); // else its port takes datagrams until the add-on's turn
  }

  @Override
  public String toString() {
    return "UDP socket " + Addresses.text(localAddress);
  }
}
