package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.MembershipKey;
import java.nio.channels.NotYetConnectedException;
import org.junit.jupiter.api.Test;

/// Datagrams and multicast groups.
final class UdpContractTest extends SocketContract {

  private static final InetAddress GROUP = InetAddress.ofLiteral("239.1.2.3");

  /// An address on which nothing receives.
  private InetSocketAddress unusedUdp() throws IOException {
    try (DatagramChannel channel = provider.openDatagramChannel()) {
      return addressOf(channel.bind(loopback(0)));
    }
  }

  private String receive(DatagramChannel channel) throws IOException {
    await(channel, READ);
    ByteBuffer target = ByteBuffer.allocate(100);
    channel.receive(target);
    return text(target);
  }

  // Sending and receiving.

  @Test
  void receive_nothingThere_returnsNull() throws IOException {
    assertNull(datagrams().receive(ByteBuffer.allocate(10)));
  }

  @Test
  void send_arrivesWithItsSender() throws IOException {
    DatagramChannel one = datagrams();
    DatagramChannel other = datagrams();
    assertEquals(5, one.send(bytes("hello"), addressOf(other)));
    await(other, READ);
    ByteBuffer target = ByteBuffer.allocate(10);
    assertEquals(addressOf(one), other.receive(target));
    assertEquals("hello", text(target));
  }

  @Test
  void send_several_keepTheirBounds() throws IOException {
    DatagramChannel one = datagrams();
    DatagramChannel other = datagrams();
    one.send(bytes("a"), addressOf(other));
    one.send(bytes("bc"), addressOf(other));
    assertEquals("a", receive(other));
    assertEquals("bc", receive(other));
  }

  @Test
  void send_empty_arrives() throws IOException {
    DatagramChannel one = datagrams();
    DatagramChannel other = datagrams();
    assertEquals(0, one.send(ByteBuffer.allocate(0), addressOf(other)));
    await(other, READ);
    assertEquals(addressOf(one), other.receive(ByteBuffer.allocate(10)));
  }

  @Test
  void receive_smallBuffer_truncates() throws IOException {
    DatagramChannel one = datagrams();
    DatagramChannel other = datagrams();
    one.send(bytes("abcdef"), addressOf(other));
    one.send(bytes("next"), addressOf(other));
    await(other, READ);
    ByteBuffer two = ByteBuffer.allocate(2);
    other.receive(two);
    assertEquals("ab", text(two));
    assertEquals("next", receive(other));
  }

  @Test
  void send_largest_arrives() throws IOException {
    DatagramChannel one = datagrams();
    DatagramChannel other = datagrams();
    one.setOption(StandardSocketOptions.SO_SNDBUF, 100_000);
    assertEquals(65_507, one.send(ByteBuffer.allocate(65_507), addressOf(other)));
    await(other, READ);
    ByteBuffer target = ByteBuffer.allocate(70_000);
    other.receive(target);
    assertEquals(65_507, target.position());
  }

  @Test
  void send_tooLong_isRefused() throws IOException {
    DatagramChannel one = datagrams();
    DatagramChannel other = datagrams();
    var failure =
        assertThrows(
            IOException.class, () -> one.send(ByteBuffer.allocate(65_508), addressOf(other)));
    assertEquals("Message too long", failure.getMessage());
  }

  @Test
  void send_nobodyThere_isLost() throws IOException {
    DatagramChannel one = datagrams();
    InetSocketAddress nowhere = unusedUdp();
    assertEquals(1, one.send(bytes("x"), nowhere));
    assertEquals(0, readyNow(one, READ));
    assertEquals(1, one.send(bytes("x"), nowhere));
  }

  @Test
  void send_receiverFull_dropsTheRest() throws IOException {
    DatagramChannel one = datagrams();
    DatagramChannel other = datagrams();
    other.setOption(StandardSocketOptions.SO_RCVBUF, 4_096);
    for (int i = 0; i < 100; i++) {
      assertEquals(1_000, one.send(ByteBuffer.allocate(1_000), addressOf(other)));
    }
    int received = 0;
    await(other, READ);
    while (other.receive(ByteBuffer.allocate(1_000)) != null) {
      received++;
    }
    assertTrue(received >= 1 && received < 100, "received=" + received);
  }

  @Test
  void receive_readOnlyBuffer_isRefused() throws IOException {
    DatagramChannel channel = datagrams();
    assertThrows(
        IllegalArgumentException.class,
        () -> channel.receive(ByteBuffer.allocate(1).asReadOnlyBuffer()));
  }

  @Test
  void send_notBound_binds() throws IOException {
    DatagramChannel one = closing(provider.openDatagramChannel());
    DatagramChannel other = datagrams();
    assertNull(one.getLocalAddress());
    one.send(bytes("x"), addressOf(other));
    assertTrue(addressOf(one).getPort() > 0);
    assertEquals("x", receive(other));
  }

  @Test
  void closed_operations_throwClosed() throws IOException {
    DatagramChannel channel = datagrams();
    channel.close();
    assertThrows(ClosedChannelException.class, () -> channel.receive(ByteBuffer.allocate(1)));
    assertThrows(ClosedChannelException.class, () -> channel.send(bytes("x"), loopback(9)));
    assertThrows(ClosedChannelException.class, channel::getLocalAddress);
  }

  @Test
  void ready_new_isWritableOnly() throws IOException {
    assertEquals(WRITE, readyNow(datagrams(), READ | WRITE));
  }

  // Binding.

  @Test
  void bind_samePort_isInUse() throws IOException {
    DatagramChannel first = datagrams();
    DatagramChannel second = closing(provider.openDatagramChannel());
    assertThrows(BindException.class, () -> second.bind(addressOf(first)));
  }

  @Test
  void bind_sharedPort_works() throws IOException {
    DatagramChannel first = closing(provider.openDatagramChannel());
    first.setOption(StandardSocketOptions.SO_REUSEADDR, true).bind(loopback(0));
    DatagramChannel second = closing(provider.openDatagramChannel());
    second.setOption(StandardSocketOptions.SO_REUSEADDR, true).bind(addressOf(first));
    assertEquals(addressOf(first), addressOf(second));
  }

  @Test
  void bind_twice_isRefused() throws IOException {
    DatagramChannel channel = datagrams();
    assertThrows(AlreadyBoundException.class, () -> channel.bind(loopback(0)));
  }

  @Test
  void bind_null_isEveryAddress() throws IOException {
    DatagramChannel channel = closing(provider.openDatagramChannel());
    channel.bind(null);
    assertTrue(addressOf(channel).getAddress().isAnyLocalAddress());
  }

  // Connecting.

  @Test
  void connect_readAndWrite_talkToThePeer() throws IOException {
    DatagramChannel one = datagrams();
    DatagramChannel other = datagrams();
    one.connect(addressOf(other));
    other.connect(addressOf(one));
    assertEquals(4, one.write(bytes("ping")));
    await(other, READ);
    ByteBuffer target = ByteBuffer.allocate(10);
    assertEquals(4, other.read(target));
    assertEquals("ping", text(target));
    assertTrue(one.isConnected());
    assertEquals(addressOf(other), one.getRemoteAddress());
  }

  @Test
  void connect_others_areNotReceived() throws IOException {
    DatagramChannel one = datagrams();
    DatagramChannel peer = datagrams();
    DatagramChannel stranger = datagrams();
    one.connect(addressOf(peer));
    stranger.send(bytes("no"), addressOf(one));
    peer.send(bytes("yes"), addressOf(one));
    assertEquals("yes", receive(one));
  }

  @Test
  void connected_sendElsewhere_isRefused() throws IOException {
    DatagramChannel one = datagrams();
    one.connect(addressOf(datagrams()));
    assertThrows(AlreadyConnectedException.class, () -> one.send(bytes("x"), loopback(9)));
  }

  @Test
  void connect_twice_isRefused() throws IOException {
    DatagramChannel one = datagrams();
    one.connect(addressOf(datagrams()));
    assertThrows(AlreadyConnectedException.class, () -> one.connect(loopback(9)));
  }

  @Test
  void notConnected_readAndWrite_areRefused() throws IOException {
    DatagramChannel one = datagrams();
    assertThrows(NotYetConnectedException.class, () -> one.read(ByteBuffer.allocate(1)));
    assertThrows(NotYetConnectedException.class, () -> one.write(bytes("x")));
  }

  @Test
  void disconnect_receivesFromAllAgain() throws IOException {
    DatagramChannel one = datagrams();
    DatagramChannel stranger = datagrams();
    one.connect(addressOf(datagrams()));
    one.disconnect();
    assertFalse(one.isConnected());
    assertNull(one.getRemoteAddress());
    stranger.send(
        bytes("now"),
        new InetSocketAddress(InetAddress.getLoopbackAddress(), addressOf(one).getPort()));
    assertEquals("now", receive(one));
  }

  @Test
  void connected_nobodyThere_nextReadIsUnreachable() throws IOException {
    DatagramChannel one = datagrams();
    one.connect(unusedUdp());
    one.write(bytes("x"));
    await(one, READ);
    assertThrows(PortUnreachableException.class, () -> one.read(ByteBuffer.allocate(1)));
    assertEquals(0, one.read(ByteBuffer.allocate(1)));
  }

  @Test
  void connected_nobodyThere_gatheringWriteTakesNothing() throws IOException {
    DatagramChannel channel = closing(provider.openDatagramChannel());
    channel.configureBlocking(false);
    channel.connect(unusedUdp());
    channel.write(bytes("lost"));
    await(channel, READ);
    ByteBuffer[] sources = {bytes("a"), bytes("b")};
    assertThrows(PortUnreachableException.class, () -> channel.write(sources));
    assertEquals(1, sources[0].remaining());
    assertEquals(1, sources[1].remaining());
  }

  @Test
  void connected_nobodyThere_nextWriteIsUnreachable() throws IOException {
    DatagramChannel one = datagrams();
    one.connect(unusedUdp());
    one.write(bytes("x"));
    await(one, READ);
    assertThrows(PortUnreachableException.class, () -> one.write(bytes("y")));
  }

  @Test
  void gatherAndScatter_areOneDatagram() throws IOException {
    DatagramChannel one = datagrams();
    DatagramChannel other = datagrams();
    one.connect(addressOf(other));
    other.connect(addressOf(one));
    assertEquals(3, one.write(new ByteBuffer[] {bytes("a"), bytes("bc")}));
    await(other, READ);
    ByteBuffer[] targets = {ByteBuffer.allocate(2), ByteBuffer.allocate(5)};
    assertEquals(3, other.read(targets));
    assertEquals("ab", text(targets[0]));
    assertEquals("c", text(targets[1]));
  }

  // Sockets.

  @Test
  void socket_sendAndReceive() throws IOException {
    DatagramChannel one = datagrams();
    DatagramChannel other = datagrams();
    assertThrows(
        IllegalBlockingModeException.class,
        () -> one.socket().send(new DatagramPacket(new byte[1], 1)));
    one.configureBlocking(true);
    other.configureBlocking(true);
    assertSame(one.socket(), one.socket());
    byte[] data = bytes("packet").array();
    one.socket().send(new DatagramPacket(data, data.length, addressOf(other)));
    var received = new DatagramPacket(new byte[100], 100);
    other.socket().receive(received);
    assertEquals(6, received.getLength());
    assertEquals(addressOf(one), received.getSocketAddress());
  }

  @Test
  void socket_receiveAgainWithThePacket_hasItsWholeBuffer() throws IOException {
    DatagramChannel sender = datagrams();
    DatagramChannel receiver = datagrams();
    receiver.configureBlocking(true);
    sender.send(bytes("a"), receiver.getLocalAddress());
    sender.send(bytes("longer"), receiver.getLocalAddress());
    var packet = new DatagramPacket(new byte[10], 10);
    receiver.socket().receive(packet);
    assertEquals(1, packet.getLength());
    receiver.socket().receive(packet);
    assertEquals(6, packet.getLength());
  }

  @Test
  void socket_receiveTimeout_throws() throws IOException {
    DatagramChannel one = datagrams();
    one.configureBlocking(true);
    DatagramSocket socket = one.socket();
    socket.setSoTimeout(1);
    assertThrows(
        SocketTimeoutException.class, () -> socket.receive(new DatagramPacket(new byte[1], 1)));
  }

  @Test
  void socket_addresses_areTheChannels() throws IOException {
    DatagramChannel one = datagrams();
    DatagramSocket socket = one.socket();
    assertTrue(socket.isBound());
    assertFalse(socket.isConnected());
    assertEquals(one.getLocalAddress(), socket.getLocalSocketAddress());
    assertEquals(-1, socket.getPort());
    socket.close();
    assertTrue(socket.isClosed());
    assertFalse(one.isOpen());
  }

  // Options.

  @Test
  void options_areKept() throws IOException {
    DatagramChannel one = datagrams();
    assertEquals(false, one.getOption(StandardSocketOptions.SO_BROADCAST));
    one.setOption(StandardSocketOptions.SO_BROADCAST, true);
    assertEquals(true, one.getOption(StandardSocketOptions.SO_BROADCAST));
    assertEquals(1, one.getOption(StandardSocketOptions.IP_MULTICAST_TTL));
    assertEquals(true, one.getOption(StandardSocketOptions.IP_MULTICAST_LOOP));
    assertThrows(
        UnsupportedOperationException.class,
        () -> one.getOption(StandardSocketOptions.TCP_NODELAY));
  }

  // Groups.

  private static NetworkInterface loopbackInterface() throws IOException {
    return NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
  }

  private DatagramChannel member() throws IOException {
    DatagramChannel made = closing(provider.openDatagramChannel(StandardProtocolFamily.INET));
    made.configureBlocking(false);
    return made.bind(new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0));
  }

  private DatagramChannel groupSender() throws IOException {
    DatagramChannel made = closing(provider.openDatagramChannel(StandardProtocolFamily.INET));
    made.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopbackInterface());
    return made.bind(loopback(0));
  }

  private static InetSocketAddress group(DatagramChannel member) throws IOException {
    return new InetSocketAddress(GROUP, addressOf(member).getPort());
  }

  @Test
  void join_receivesWhatIsSentToTheGroup() throws IOException {
    DatagramChannel member = member();
    MembershipKey key = member.join(GROUP, loopbackInterface());
    assertTrue(key.isValid());
    assertEquals(GROUP, key.group());
    assertSame(member, key.channel());
    assertNull(key.sourceAddress());
    groupSender().send(bytes("all"), group(member));
    assertEquals("all", receive(member));
  }

  @Test
  void join_notAGroup_isRefused() throws IOException {
    DatagramChannel member = member();
    NetworkInterface loopback = loopbackInterface();
    assertThrows(
        IllegalArgumentException.class,
        () -> member.join(InetAddress.ofLiteral("127.0.0.1"), loopback));
  }

  @Test
  void join_twice_isTheSameKey() throws IOException {
    DatagramChannel member = member();
    assertSame(member.join(GROUP, loopbackInterface()), member.join(GROUP, loopbackInterface()));
  }

  @Test
  void drop_endsTheMembership() throws IOException {
    DatagramChannel member = member();
    MembershipKey key = member.join(GROUP, loopbackInterface());
    key.drop();
    assertFalse(key.isValid());
    groupSender().send(bytes("late"), group(member));
    assertEquals(0, readyNow(member, READ));
  }

  @Test
  void block_sender_isNotReceived() throws IOException {
    DatagramChannel member = member();
    MembershipKey key = member.join(GROUP, loopbackInterface());
    DatagramChannel sender = groupSender();
    key.block(InetAddress.getLoopbackAddress());
    sender.send(bytes("blocked"), group(member));
    assertEquals(0, readyNow(member, READ));
    key.unblock(InetAddress.getLoopbackAddress());
    sender.send(bytes("again"), group(member));
    assertEquals("again", receive(member));
  }

  @Test
  void unblock_neverBlocked_isRefused() throws IOException {
    MembershipKey key = member().join(GROUP, loopbackInterface());
    assertThrows(IllegalStateException.class, () -> key.unblock(InetAddress.getLoopbackAddress()));
  }

  @Test
  void join_sourceOnly_receivesFromItOnly() throws IOException {
    DatagramChannel member = member();
    MembershipKey key = member.join(GROUP, loopbackInterface(), InetAddress.getLoopbackAddress());
    assertEquals(InetAddress.getLoopbackAddress(), key.sourceAddress());
    assertThrows(IllegalStateException.class, () -> key.block(InetAddress.getLoopbackAddress()));
    groupSender().send(bytes("mine"), group(member));
    assertEquals("mine", receive(member));
  }

  @Test
  void close_invalidatesMemberships() throws IOException {
    DatagramChannel member = member();
    MembershipKey key = member.join(GROUP, loopbackInterface());
    member.close();
    assertFalse(key.isValid());
  }
}
