package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.io.internal.lent.ChannelFigures;
import dev.rondo.observe.DumpFormat;
import dev.rondo.observe.Loops;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.PortUnreachableException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.MembershipKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// UDP over loopback.
class UdpTest {

  private static final SocketOptions SHARED =
      SocketOptions.of(StandardSocketOptions.SO_REUSEADDR, true);

  private static final InetSocketAddress LOOPBACK =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  @OnEveryBackend
  void sendAndReceive_waitingReceiver_hasBytesAndSender(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var a = UdpSocket.open(world.io(), LOOPBACK);
          var b = UdpSocket.open(world.io(), LOOPBACK)) {
        var dst = ByteBuffer.allocate(10).position(2);
        Task<Datagram> receiver = world.scheduler().spawn("r", () -> b.receive(dst));
        world.settle();
        var src = bytes("xabcx").position(1).limit(4);
        a.send(src, b.localAddress());
        assertFalse(src.hasRemaining());
        assertEquals(new Datagram(a.localAddress(), 3, false), receiver.join());
        assertEquals(bytes("abc"), dst.flip().position(2));
        a.send(bytes(""), b.localAddress());
        assertEquals(new Datagram(a.localAddress(), 0, false), b.receive(ByteBuffer.allocate(5)));
      }
    });
  }

  @OnEveryBackend
  void close_freesThePort_atOnce(IoRig rig) throws Exception {
    rig.run(world -> {
      var first = UdpSocket.open(world.io(), LOOPBACK);
      first.close();
      try (var second = UdpSocket.open(world.io(), first.localAddress())) {
        assertEquals(first.localAddress(), second.localAddress());
      }
    });
  }

  @OnEveryBackend
  void receive_bufferTooSmallOrJustRight_truncationIsTold(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var a = UdpSocket.open(world.io(), LOOPBACK);
          var b = UdpSocket.open(world.io(), LOOPBACK)) {
        for (String each : List.of("abcd", "abc", "wxyz")) {
          a.send(bytes(each), b.localAddress());
        }
        var dst = ByteBuffer.allocate(3);
        assertEquals(new Datagram(a.localAddress(), 4, true), b.receive(dst));
        assertEquals(bytes("abc"), dst.flip());
        assertEquals(new Datagram(a.localAddress(), 3, false), b.receive(dst.clear()));
        var none = ByteBuffer.allocate(0);
        assertEquals(new Datagram(a.localAddress(), 4, true), b.receive(none));
      }
    });
  }

  @OnEveryBackend
  void send_largestOneMoreAndAMebibyte_isSentOrRefused(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var a = UdpSocket.open(world.io(), LOOPBACK);
          var b = UdpSocket.open(world.io(), LOOPBACK)) {
        a.send(ByteBuffer.allocate(65_507), b.localAddress());
        var dst = ByteBuffer.allocateDirect(1 << 16);
        assertEquals(65_507, b.receive(dst).bytes());
        assertEquals(65_507, dst.position());
        for (int tooMany : List.of(65_508, 1 << 20)) {
          var src = ByteBuffer.allocate(tooMany);
          var e = assertThrows(IllegalArgumentException.class, () -> a.send(src, b.localAddress()));
          assertTrue(e.getMessage().contains("bytes=%,d".formatted(tooMany)), e.getMessage());
          assertTrue(e.getMessage().contains("" + b.localAddress().getPort()), e.getMessage());
          assertEquals(tooMany, src.remaining());
        }
        a.send(bytes("goes on"), b.localAddress());
        assertEquals(7, b.receive(dst.clear()).bytes());
      }
    });
  }

  @OnEveryBackend
  void connect_andDisconnect_peerIsSetAndOthersAreNotHeard(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var a = UdpSocket.open(world.io(), LOOPBACK);
          var b = UdpSocket.open(world.io(), LOOPBACK);
          var c = UdpSocket.open(world.io(), LOOPBACK)) {
        assertThrows(IllegalStateException.class, () -> a.send(bytes("x")));
        a.connect(b.localAddress());
        assertThrows(IllegalStateException.class, () -> a.connect(c.localAddress()));
        assertThrows(IllegalStateException.class, () -> a.send(bytes("x"), c.localAddress()));
        assertThrows(IllegalArgumentException.class, () -> a.send(bytes("")));
        c.send(bytes("not you"), a.localAddress());
        a.send(bytes("ping"));
        Datagram ping = b.receive(ByteBuffer.allocate(9));
        b.send(bytes("pong"), ping.sender());
        assertEquals(new Datagram(b.localAddress(), 4, false), a.receive(ByteBuffer.allocate(9)));
        a.disconnect();
        a.disconnect();
        assertThrows(IllegalStateException.class, () -> a.send(bytes("x")));
      }
    });
  }

  @OnEveryBackend
  void receive_connectedAndNobodyThere_isUnreachable(IoRig rig) throws Exception {
    rig.run(world -> {
      UdpSocket gone = UdpSocket.open(world.io(), LOOPBACK);
      gone.close();
      world.settle();
      try (var a = UdpSocket.open(world.io(), LOOPBACK)) {
        a.connect(gone.localAddress());
        a.send(bytes("hello?"));
        var e =
            assertThrows(PortUnreachableException.class, () -> a.receive(ByteBuffer.allocate(1)));
        assertTrue(e.getMessage().contains("receive at"), e.getMessage());
        assertTrue(e.getMessage().endsWith("reports that nothing receives there"), e.getMessage());
      }
    });
  }

  @OnEveryBackend
  void timeoutsCancelAndClose_underAReceive_endItAndTakeNothing(IoRig rig) throws Exception {
    rig.run(world -> {
      UdpSocket a = UdpSocket.open(world.io(), LOOPBACK);
      a.receiveTimeout(Duration.ofSeconds(1)).sendTimeout(Duration.ofSeconds(1));
      var dst = ByteBuffer.allocate(4);
      Task<Throwable> late = world.failing(() -> a.receive(dst));
      world.settle();
      world.timer().fire();
      assertEquals(TimedOutException.class, late.join().getClass());
      a.receiveTimeout(null);
      Task<?> cancelled = world.scheduler().spawn("c", () -> a.receive(dst));
      world.settle();
      cancelled.cancel("test");
      world.settle();
      assertEquals(0, ChannelFigures.of(world.scheduler()).waits());
      a.send(bytes("abc"), a.localAddress());
      assertEquals(3, world.scheduler().await(a.receiving(dst)).bytes());
      Task<Throwable> closed = world.failing(() -> a.receive(dst));
      world.settle();
      var second = assertThrows(IllegalStateException.class, () -> a.receive(dst));
      assertTrue(second.getMessage().contains("receive at"), second.getMessage());
      a.close();
      assertEquals(0, ChannelFigures.of(world.scheduler()).waits());
      assertEquals(ChannelClosedException.class, closed.join().getClass());
      assertEquals(3, dst.position());
    });
  }

  /// A send gives way in the middle when the budget of the turn is spent. A server whose tasks
  /// answer through one socket must not fail because of that.
  @OnEveryBackend
  void send_whileAnotherTaskSends_waitsItsTurn(IoRig rig) throws Exception {
    rig.run(world -> {
      var ends = new ArrayList<String>();
      UdpSocket a = UdpSocket.open(world.io(), LOOPBACK);
      Task<?> first = sendMany(world, a, "first", ends);
      Task<?> cancelled = sendMany(world, a, "cancelled", ends);
      Task<?> second = sendMany(world, a, "second", ends);
      world.scheduler().yield();
      var dump = new StringBuilder();
      Loops.dump(world.scheduler(), DumpFormat.TEXT, dump, Duration.ofSeconds(1));
      assertTrue(
          dump.indexOf("'second' WAITING for its turn to send from " + a + ", held by 'first'")
              >= 0,
          dump.toString());
      cancelled.cancel("test");
      first.join();
      second.join();
      assertEquals(List.of("cancelled: TaskCancelled", "first", "second"), ends);
      assertEquals(0, ChannelFigures.of(world.scheduler()).waits());
      sendMany(world, a, "third", ends);
      sendMany(world, a, "fourth", ends);
      world.scheduler().yield();
      a.close();
      world.settle();
      String closed = ": ChannelClosedException";
      assertEquals(List.of("third" + closed, "fourth" + closed), ends.subList(3, 5));
    });
  }

  private static Task<?> sendMany(
      IoRig.World world, UdpSocket from, String name, List<String> ends) {
    return world
        .scheduler()
        .spawn(
            name,
            () -> {
              try {
                for (int i = 0; i < 200; i++) {
                  from.send(bytes("x"), from.localAddress());
                }
                ends.add(name);
              } catch (Throwable e) {
                ends.add(name + ": " + e.getClass().getSimpleName());
              }
            });
  }

  @OnEveryBackend
  void sendTimeout_itsTurnDoesNotCome_endsTheWait(IoRig rig) throws Exception {
    rig.run(world -> {
      try (UdpSocket a = UdpSocket.open(world.io(), LOOPBACK)) {
        a.sendTimeout(Duration.ofSeconds(1));
        var ends = new ArrayList<String>();
        sendMany(world, a, "first", ends);
        sendMany(world, a, "second", ends);
        world.scheduler().yield();
        world.timer().fire();
        world.settle();
        assertEquals(List.of("first", "second: TimedOutException"), ends);
      }
    });
  }

  @OnEveryBackend
  void anything_closedOrBadArgument_isRefused(IoRig rig) throws Exception {
    rig.run(world -> {
      UdpSocket a = UdpSocket.open(world.io(), LOOPBACK);
      var unresolved = InetSocketAddress.createUnresolved("nowhere.invalid", 1);
      List<Callable<?>> bad =
          List.of(
              () -> a.receive(ByteBuffer.allocate(1).asReadOnlyBuffer()),
              () -> a.receiving(ByteBuffer.allocate(1).asReadOnlyBuffer()),
              () -> UdpSocket.open(world.io(), unresolved),
              () -> a.connect(unresolved),
              () -> a.receiveTimeout(Duration.ZERO),
              () -> a.sendTimeout(Duration.ofNanos(-1)));
      for (Callable<?> each : bad) {
        assertThrows(IllegalArgumentException.class, each::call);
      }
      assertThrows(IllegalArgumentException.class, () -> a.send(bytes("x"), unresolved));
      var used =
          assertThrows(BindException.class, () -> UdpSocket.open(world.io(), a.localAddress()));
      assertTrue(used.getMessage().contains("" + a.localAddress().getPort()), used.getMessage());
      a.close();
      a.close();
      List<Callable<?>> uses =
          List.of(
              () -> a.receive(ByteBuffer.allocate(1)),
              () -> world.scheduler().await(a.receiving(ByteBuffer.allocate(1))),
              () -> a.connect(LOOPBACK),
              a::disconnect);
      for (Callable<?> use : uses) {
        var e = assertThrows(ChannelClosedException.class, use::call);
        assertTrue(e.getMessage().contains("" + a.localAddress().getPort()), e.getMessage());
      }
      assertThrows(ChannelClosedException.class, () -> a.send(bytes("x"), LOOPBACK));
    });
  }

  @OnEveryBackend
  void broadcast_withoutTheOption_isRefusedWithTheAddress(IoRig rig) throws Exception {
    rig.run(world -> {
      var any = new InetSocketAddress(0);
      var options = SocketOptions.of(StandardSocketOptions.SO_BROADCAST, true);
      try (var a = UdpSocket.open(world.io(), any);
          var b = UdpSocket.open(world.io(), any, options)) {
        var broadcast = new InetSocketAddress("255.255.255.255", a.localAddress().getPort());
        var e = assertThrows(IOException.class, () -> a.send(bytes("x"), broadcast));
        assertTrue(e.getMessage().contains("255.255.255.255"), e.getMessage());
        try {
          b.send(bytes("x"), broadcast);
        } catch (IOException none) { // the machine may have no network to broadcast to
          assertFalse(none.getMessage().contains("Permission denied"), none.getMessage());
        }
      }
    });
  }

  @OnEveryBackend
  void multicast_joinedAndLeft_isHeardAndNotHeard(IoRig rig) throws Exception {
    NetworkInterface network =
        NetworkInterface.networkInterfaces().filter(UdpTest::canMulticast).findFirst().orElse(null);
    assumeTrue(network != null, "no interface here can multicast");
    rig.run(world -> {
      InetAddress group = InetAddress.ofLiteral("239.255.13.7");
      try (var a = UdpSocket.open(world.io(), new InetSocketAddress("0.0.0.0", 0), SHARED);
          var b =
              UdpSocket.open(
                  world.io(),
                  a.localAddress(),
                  SHARED.and(StandardSocketOptions.IP_MULTICAST_IF, network))) {
        var target = new InetSocketAddress(group, a.localAddress().getPort());
        MembershipKey first = a.join(group, network);
        MembershipKey second = b.join(group, network);
        b.send(bytes("all"), target);
        assertEquals(3, a.receive(ByteBuffer.allocate(9)).bytes());
        assertEquals(3, b.receive(ByteBuffer.allocate(9)).bytes());
        first.drop();
        b.send(bytes("rest"), target);
        assertEquals(4, b.receive(ByteBuffer.allocate(9)).bytes());
        a.receiveTimeout(Duration.ofSeconds(1));
        Task<Throwable> deaf = world.failing(() -> a.receive(ByteBuffer.allocate(9)));
        world.settle();
        world.timer().fire();
        assertEquals(TimedOutException.class, deaf.join().getClass());
        assertTrue(second.isValid());
        assertThrows(
            IllegalArgumentException.class,
            () -> a.join(InetAddress.ofLiteral("1.2.3.4"), network));
      }
    });
  }

  @OnEveryBackend
  void join_inTheGroupAlready_isRefusedUntilItHasLeft(IoRig rig) throws Exception {
    NetworkInterface network =
        NetworkInterface.networkInterfaces().filter(UdpTest::canMulticast).findFirst().orElse(null);
    assumeTrue(network != null, "no interface here can multicast");
    rig.run(world -> {
      InetAddress group = InetAddress.ofLiteral("239.255.13.8");
      try (var a = UdpSocket.open(world.io(), new InetSocketAddress("0.0.0.0", 0), SHARED)) {
        for (int i = 0; i < 2; i++) {
          MembershipKey key = a.join(group, network);
          var e = assertThrows(IllegalStateException.class, () -> a.join(group, network));
          assertTrue(e.getMessage().contains("239.255.13.8"), e.getMessage());
          assertTrue(key.isValid(), "the first membership stays");
          key.drop();
        }
      }
    });
  }

  private static boolean canMulticast(NetworkInterface network) {
    try {
      return network.isUp() && network.supportsMulticast();
    } catch (IOException e) {
      return false;
    }
  }

  /// The reported length is that of the datagram, even if it was truncated.
  @OnEveryBackend
  void receive_largestIntoASmallBuffer_itsLengthIsTold(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var a = UdpSocket.open(world.io(), LOOPBACK);
          var b = UdpSocket.open(world.io(), LOOPBACK)) {
        a.send(ByteBuffer.allocate(65_507), b.localAddress());
        var got = b.receive(ByteBuffer.allocate(100));
        assertEquals(new Datagram(a.localAddress(), 65_507, true), got);
      }
    });
  }
}
