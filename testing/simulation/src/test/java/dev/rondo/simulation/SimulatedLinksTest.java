package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Links between hosts, and their faults.
final class SimulatedLinksTest {

  private static final Duration LATENCY = Duration.ofMillis(1);
  private static final int PORT = 80;
  private static final InetSocketAddress SERVER = at("10.0.0.1", PORT);

  private final SimulatedNetwork network = new SimulatedNetwork().random(new SplittableRandom(1));
  private final SimulatedHost server = network.host("server", "10.0.0.1");
  private final SimulatedHost client = network.host("client", "10.0.0.2");
  private final SimulatedLinks link = network.link(client, server);

  SimulatedLinksTest() {
    network.links().latency(LATENCY);
  }

  private static InetSocketAddress at(String address, int port) {
    return new InetSocketAddress(InetAddress.ofLiteral(address), port);
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static int read(SocketChannel channel) throws IOException {
    return channel.read(ByteBuffer.allocate(100));
  }

  private record Pair(SocketChannel client, SocketChannel server) {}

  private Pair pair() throws IOException {
    ServerSocketChannel listener = server.provider().openServerSocketChannel().bind(SERVER);
    SocketChannel channel = client.provider().openSocketChannel();
    channel.connect(SERVER);
    SocketChannel accepted = listener.accept();
    listener.close();
    return new Pair(channel, accepted);
  }

  private DatagramChannel receiver() throws IOException {
    DatagramChannel channel = server.provider().openDatagramChannel().bind(SERVER);
    channel.configureBlocking(false);
    return channel;
  }

  /// Sends numbered datagrams, and returns the numbers in the order of their arrival.
  private List<Integer> exchange(int count) throws IOException {
    try (DatagramChannel receiver = receiver();
        DatagramChannel sender = client.provider().openDatagramChannel()) {
      for (int i = 0; i < count; i++) {
        sender.send(ByteBuffer.allocate(4).putInt(i).flip(), SERVER);
        network.advanceBy(Duration.ofNanos(1_000));
      }
      List<Integer> received = new ArrayList<>();
      ByteBuffer target = ByteBuffer.allocate(4);
      do {
        while (receiver.receive(target.clear()) != null) {
          received.add(target.getInt(0));
        }
      } while (network.advance());
      return received;
    }
  }

  private Duration took(Duration before) {
    return network.elapsed().minus(before);
  }

  // Latency.

  @Test
  void latency_oneWay_concernsThatDirection() throws IOException {
    network.oneWay(client, server).latency(Duration.ofMillis(10));
    Pair pair = pair();
    assertEquals(Duration.ofMillis(21), network.elapsed(), "SYN, its answer, and the confirmation");
    Duration before = network.elapsed();
    pair.server().write(bytes("a"));
    assertEquals(1, read(pair.client()));
    assertEquals(LATENCY, took(before));
  }

  @Test
  void latency_ofAPair_concernsNoOther() throws IOException {
    SimulatedHost third = network.host("third", "10.0.0.3");
    network.link(client, third).latency(Duration.ofSeconds(5));
    pair();
    assertEquals(Duration.ofMillis(3), network.elapsed());
  }

  @Test
  void latency_ofAll_concernsLaterHosts() throws IOException {
    network.links().latency(Duration.ofSeconds(1));
    SimulatedHost third = network.host("third", "10.0.0.3");
    var address = at("10.0.0.3", PORT);
    third.provider().openServerSocketChannel().bind(address);
    client.provider().openSocketChannel().connect(address);
    assertEquals(Duration.ofSeconds(2), network.elapsed());
  }

  @Test
  void latency_withinAHost_isZero() throws IOException {
    network.links().latency(Duration.ofSeconds(1)).loss(1);
    var address = at("127.0.0.1", PORT);
    server.provider().openServerSocketChannel().bind(address);
    server.provider().openSocketChannel().connect(address);
    assertEquals(Duration.ZERO, network.elapsed());
  }

  @Test
  void latency_distributions_drawInTheirRange() {
    var random = new SplittableRandom(3);
    var uniform = SimulatedLatency.uniform(Duration.ofNanos(10), Duration.ofNanos(12));
    var normal = SimulatedLatency.normal(Duration.ofNanos(5), Duration.ofNanos(100));
    var exponential = SimulatedLatency.exponential(Duration.ofNanos(7), Duration.ofNanos(1_000));
    long sum = 0;
    for (int i = 0; i < 10_000; i++) {
      long drawn = uniform.draw(() -> random);
      assertTrue(drawn >= 10 && drawn <= 12);
      assertTrue(normal.draw(() -> random) >= 0);
      long slow = exponential.draw(() -> random);
      assertTrue(slow >= 7);
      sum += slow;
    }
    assertEquals(1_007, sum / 10_000.0, 50);
  }

  // Bandwidth.

  @Test
  void bandwidth_bytesTakeTheirTime() throws IOException {
    Pair pair = pair();
    pair.client().configureBlocking(false);
    link.bandwidth(1_000_000);
    Duration before = network.elapsed();
    transfer(pair, 1_000_000);
    long millis = took(before).toMillis();
    assertTrue(millis >= 1_000 && millis < 1_030, () -> millis + " ms");
  }

  @Test
  void queue_full_losesDatagrams() throws IOException {
    link.bandwidth(1_000).queue(10 * 32);
    List<Integer> received = exchange(100);
    assertEquals(10, received.size(), received::toString);
  }

  @Test
  void queue_smallerThanTheWindow_streamArrives() throws IOException {
    Pair pair = pair();
    pair.client().configureBlocking(false);
    link.bandwidth(1_000_000).queue(100_000);
    transfer(pair, 2_000_000);
    assertTrue(network.elapsed().toSeconds() < 20, () -> "" + network.elapsed());
  }

  /// Sends 100 datagrams of 32 bytes, one second's worth each at 32 bytes in a second. Returns how
  /// many have arrived after two seconds and a half, and then some time after the bandwidth has
  /// changed.
  private List<Integer> arrivedBeforeAndAfter(long bandwidth, Duration after) throws IOException {
    link.bandwidth(32);
    try (DatagramChannel receiver = receiver();
        DatagramChannel sender = client.provider().openDatagramChannel()) {
      for (int i = 0; i < 100; i++) {
        sender.send(ByteBuffer.allocate(4).putInt(i).flip(), SERVER);
      }
      network.advanceBy(Duration.ofMillis(2_500));
      List<Integer> before = received(receiver);
      link.bandwidth(bandwidth);
      network.advanceBy(after);
      List<Integer> later = received(receiver);
      assertEquals(later.stream().sorted().toList(), later);
      return List.of(before.size(), later.size());
    }
  }

  private static List<Integer> received(DatagramChannel receiver) throws IOException {
    List<Integer> received = new ArrayList<>();
    ByteBuffer target = ByteBuffer.allocate(4);
    while (receiver.receive(target.clear()) != null) {
      received.add(target.getInt(0));
    }
    return received;
  }

  @Test
  void bandwidth_largerAgain_sendsWhatWaitsFaster() throws IOException {
    assertEquals(List.of(2, 20), arrivedBeforeAndAfter(320, Duration.ofSeconds(2)));
  }

  @Test
  void bandwidth_smaller_sendsWhatWaitsMoreSlowly() throws IOException {
    assertEquals(List.of(2, 1), arrivedBeforeAndAfter(16, Duration.ofMillis(1_500)));
  }

  @Test
  void bandwidth_unlimitedAgain_sendsAllThatWaits() throws IOException {
    assertEquals(List.of(2, 98), arrivedBeforeAndAfter(Long.MAX_VALUE, LATENCY));
  }

  /// {@return how long a datagram takes if another setting changes so often while it is sent}
  private Duration takenDespiteChanges(int count) throws IOException {
    link.bandwidth(3); // takes a part of a nanosecond more than a whole number of them
    try (DatagramChannel receiver = server.provider().openDatagramChannel().bind(SERVER);
        DatagramChannel sender = client.provider().openDatagramChannel()) {
      Duration before = network.elapsed();
      sender.send(ByteBuffer.allocate(4), SERVER);
      for (int i = 0; i < count; i++) {
        network.advanceBy(Duration.ofNanos(7));
        link.loss(0);
      }
      receiver.receive(ByteBuffer.allocate(4));
      return took(before);
    }
  }

  @Test
  void otherSettings_changedWhileAPacketIsSent_doNotDelayIt() throws IOException {
    assertEquals(takenDespiteChanges(0), takenDespiteChanges(1_000));
  }

  // Loss, duplication, jitter.

  @Test
  void loss_ofAll_nothingArrives() throws IOException {
    link.loss(1);
    assertEquals(List.of(), exchange(10));
  }

  @Test
  void loss_ofSome_othersArriveInOrder() throws IOException {
    link.loss(0.3);
    List<Integer> received = exchange(1_000);
    assertEquals(700, received.size(), 50);
    assertEquals(received.stream().sorted().toList(), received);
  }

  @Test
  void duplication_ofAll_eachArrivesTwice() throws IOException {
    link.duplication(1);
    assertEquals(List.of(0, 0, 1, 1, 2, 2), exchange(3));
  }

  @Test
  void uniformLatency_datagramsOvertake() throws IOException {
    link.latency(SimulatedLatency.uniform(LATENCY, LATENCY.multipliedBy(2)));
    List<Integer> received = exchange(100);
    assertEquals(100, received.size());
    assertNotEquals(received.stream().sorted().toList(), received);
  }

  @Test
  void splitting_ofAll_theRestComesARoundTripLater() throws IOException {
    Pair pair = pair();
    link.splitting(1);
    Duration before = network.elapsed();
    pair.client().write(bytes("0123456789"));
    int first = read(pair.server());
    assertTrue(first > 0 && first < 10, () -> "" + first);
    assertEquals(LATENCY, took(before));
    int all = first;
    while (all < 10) {
      all += read(pair.server());
    }
    assertTrue(took(before).compareTo(LATENCY.multipliedBy(3)) >= 0, () -> "" + took(before));
  }

  @Test
  void splitting_writerEnds_theRestComesBeforeTheEnd() throws IOException {
    Pair pair = pair();
    link.splitting(1);
    pair.client().write(bytes("0123456789"));
    pair.client().close();
    int all = 0;
    for (int count; (count = read(pair.server())) >= 0; ) {
      all += count;
    }
    assertEquals(10, all);
  }

  @Test
  void allFaults_streamArrivesUnchanged() throws IOException {
    Pair pair = pair();
    pair.client().configureBlocking(false);
    link.loss(0.2)
        .duplication(0.2)
        .splitting(0.2)
        .latency(SimulatedLatency.exponential(LATENCY, LATENCY.multipliedBy(4)));
    transfer(pair, 3_000_000);
    pair.client().close();
    assertEquals(-1, read(pair.server()));
  }

  /// An acknowledgement that overtakes bytes is not taken for them. Some are sent twice in any
  /// case, because three acknowledgements overtake each other.
  @Test
  void uniformLatency_bothDirections_mostBytesAreSentOnce() throws IOException {
    Pair pair = pair();
    pair.client().configureBlocking(false);
    pair.server().configureBlocking(false);
    List<String> sent = new ArrayList<>();
    link.latency(SimulatedLatency.uniform(LATENCY, LATENCY.multipliedBy(4)))
        .proxy(packet -> {
          if (packet.kind() == SimulatedPacket.Kind.DATA) {
            sent.add(packet + " " + packet.data().get(0));
          }
          return SimulatedProxy.SEND;
        });
    for (int i = 0; i < 100; i++) {
      ByteBuffer one = ByteBuffer.allocate(1).put((byte) i).flip();
      pair.client().write(one.duplicate());
      pair.server().write(one);
      network.advanceBy(Duration.ofMillis(1));
    }
    network.advanceBy(Duration.ofSeconds(10));
    ByteBuffer target = ByteBuffer.allocate(101);
    assertEquals(100, pair.client().read(target));
    assertEquals(100, pair.server().read(target.clear()));
    assertTrue(sent.size() < 260, () -> sent.size() + " packets for 200");
  }

  /// Sends bytes from the client to the server, and compares them.
  private static void transfer(Pair pair, int count) throws IOException {
    byte[] sent = new byte[count];
    new SplittableRandom(7).nextBytes(sent);
    ByteBuffer source = ByteBuffer.wrap(sent);
    ByteBuffer target = ByteBuffer.allocate(count);
    while (target.hasRemaining()) {
      pair.client().write(source);
      pair.server().read(target);
    }
    assertArrayEquals(sent, target.array());
  }

  @Test
  void sameSeed_sameRun() throws IOException {
    String first = trace(1);
    assertEquals(first, trace(1));
    assertNotEquals(first, trace(2));
  }

  private static String trace(long seed) throws IOException {
    SimulatedNetwork made = new SimulatedNetwork().random(new SplittableRandom(seed));
    SimulatedHost one = made.host("one", "10.0.0.1");
    SimulatedHost other = made.host("other", "10.0.0.2");
    var trace = new StringBuilder();
    made.links()
        .latency(SimulatedLatency.normal(LATENCY, LATENCY))
        .loss(0.1)
        .duplication(0.1)
        .splitting(0.1)
        .proxy(packet -> {
          trace.append(made.elapsed()).append(' ').append(packet).append('\n');
          return SimulatedProxy.SEND;
        });
    ServerSocketChannel listener = one.provider().openServerSocketChannel().bind(SERVER);
    SocketChannel near = other.provider().openSocketChannel();
    near.connect(SERVER);
    near.configureBlocking(false);
    transfer(new Pair(near, listener.accept()), 1_000_000);
    return trace.toString();
  }

  // Cuts.

  @Test
  void cut_connect_timesOut() {
    link.cut();
    SocketException failure = assertThrows(ConnectException.class, this::pair);
    assertEquals("Connection timed out", failure.getMessage());
    assertEquals(127, network.elapsed().toSeconds());
  }

  @Test
  void cut_whileConnecting_healedConnects() throws IOException {
    link.cut();
    ServerSocketChannel listener = server.provider().openServerSocketChannel().bind(SERVER);
    SocketChannel channel = client.provider().openSocketChannel();
    channel.configureBlocking(false);
    channel.connect(SERVER);
    network.advanceBy(Duration.ofSeconds(6));
    link.heal();
    assertEquals(channel.getLocalAddress(), listener.accept().getRemoteAddress());
    assertEquals(7_003, network.elapsed().toMillis(), "the third repetition gets through");
  }

  @Test
  void cut_established_resumesWhenHealed() throws IOException {
    Pair pair = pair();
    link.cut();
    pair.client().write(bytes("late"));
    network.advanceBy(Duration.ofMinutes(5));
    link.heal();
    assertEquals(4, read(pair.server()));
    assertTrue(network.elapsed().toMinutes() < 8);
  }

  @Test
  void cut_established_failsAfterTheKernelsTime() throws IOException {
    Pair pair = pair();
    link.cut();
    pair.client().write(bytes("lost"));
    var failure = assertThrows(IOException.class, () -> read(pair.client()));
    assertEquals("Connection timed out", failure.getMessage());
    assertNear(Duration.ofSeconds(925), network.elapsed(), 5);
  }

  private static void assertNear(Duration expected, Duration actual, long seconds) {
    assertTrue(expected.minus(actual).abs().toSeconds() <= seconds, () -> "" + actual);
  }

  @Test
  void cut_answersOnly_senderFailsAndReceiverLearnsNothing() throws IOException {
    Pair pair = pair();
    network.oneWay(server, client).cut();
    pair.client().write(bytes("arrives"));
    assertEquals(7, read(pair.server()));
    var failure = assertThrows(IOException.class, () -> read(pair.client()));
    assertEquals("Connection timed out", failure.getMessage());
    assertThrows(SimulationStalledException.class, () -> read(pair.server()));
  }

  @Test
  void cut_closedSocket_givesUpSooner() throws IOException {
    Pair pair = pair();
    link.cut();
    pair.client().write(bytes("lost"));
    pair.client().close();
    while (network.advance()) {
      // to the last event
    }
    assertTrue(network.elapsed().toSeconds() < 110, () -> "" + network.elapsed());
    assertEquals(0, client.openDescriptors());
  }

  @Test
  void cut_windowUpdateLost_isAskedFor() throws IOException {
    Pair pair = pair();
    pair.client().configureBlocking(false);
    long written = 0;
    for (int count = 1; count > 0; ) {
      count = pair.client().write(ByteBuffer.allocate(1 << 20));
      written += count;
      network.advanceBy(Duration.ofSeconds(1));
    }
    network.oneWay(server, client).cut();
    pair.server().configureBlocking(false);
    int early = pair.server().read(ByteBuffer.allocate(1 << 20));
    network.advanceBy(Duration.ofMillis(10));
    network.oneWay(server, client).heal();
    pair.server().configureBlocking(true);
    ByteBuffer rest = ByteBuffer.allocate((int) written - early);
    while (rest.hasRemaining()) {
      pair.server().read(rest);
    }
  }

  @Test
  void cut_peerOfAFullWindow_failsAfterTheKernelsTime() throws IOException {
    Pair pair = pair();
    link.cut();
    var failure =
        assertThrows(IOException.class, () -> pair.client().write(ByteBuffer.allocate(10_000_000)));
    assertEquals("Connection timed out", failure.getMessage());
  }

  @Test
  void fullWindow_peerThatNeverReads_stalls() throws IOException {
    Pair pair = pair();
    assertThrows(
        SimulationStalledException.class,
        () -> pair.client().write(ByteBuffer.allocate(10_000_000)));
  }

  // Keepalive.

  @Test
  void keepAlive_cut_failsAfterItsTime() throws IOException {
    Pair pair = pair();
    pair.client().setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    link.cut();
    Duration before = network.elapsed();
    var failure = assertThrows(IOException.class, () -> read(pair.client()));
    assertEquals("Connection timed out", failure.getMessage());
    assertNear(Duration.ofSeconds(7_200 + 9 * 75), took(before), 1);
  }

  @Test
  void keepAlive_peerLostItsPower_isResetByTheNextOne() throws IOException {
    Pair pair = pair();
    pair.client().setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    server.powerOff();
    server.restart();
    var failure = assertThrows(SocketException.class, () -> read(pair.client()));
    assertEquals("Connection reset", failure.getMessage());
    assertNear(Duration.ofHours(2), network.elapsed(), 1);
  }

  @Test
  void keepAlive_peerIsThere_nothingHappens() throws IOException {
    Pair pair = pair();
    pair.client().setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    assertThrows(SimulationStalledException.class, () -> read(pair.client()));
    network.advanceBy(Duration.ofDays(1));
    pair.server().write(bytes("a"));
    assertEquals(1, read(pair.client()));
  }

  // Holding.

  @Test
  void hold_heal_packetsArriveInOrder() throws IOException {
    DatagramChannel receiver = receiver();
    DatagramChannel sender = client.provider().openDatagramChannel();
    link.hold();
    sender.send(bytes("a"), SERVER);
    sender.send(bytes("b"), SERVER);
    network.advanceBy(Duration.ofHours(1));
    assertNull(receiver.receive(ByteBuffer.allocate(1)));
    link.heal();
    network.advanceBy(LATENCY);
    ByteBuffer target = ByteBuffer.allocate(2);
    receiver.receive(target);
    receiver.receive(target);
    assertEquals("ab", new String(target.array(), StandardCharsets.UTF_8));
  }

  // Sets.

  @Test
  void partition_cutsBetweenTheSetsOnly() throws IOException {
    SimulatedHost third = network.host("third", "10.0.0.3");
    network.links(List.of(server), Set.of(client, third)).cut();
    try (DatagramChannel receiver =
        third.provider().openDatagramChannel().bind(at("10.0.0.3", PORT))) {
      client.provider().openDatagramChannel().send(bytes("a"), at("10.0.0.3", PORT));
      receiver.receive(ByteBuffer.allocate(1));
    }
    assertEquals(List.of(), exchange(1));
    network.links().heal();
    assertEquals(List.of(0), exchange(1));
  }

  @Test
  void heal_sendsWhatIsHeld_andKeepsTheLatency() throws IOException {
    network.links().hold();
    DatagramChannel receiver = receiver();
    client.provider().openDatagramChannel().send(bytes("a"), SERVER);
    network.links().heal();
    network.advanceBy(LATENCY);
    assertEquals(1, receiver.receive(ByteBuffer.allocate(1)) == null ? 0 : 1);
  }

  // A proxy.

  @Test
  void proxy_seesThePackets() throws IOException {
    List<String> seen = new ArrayList<>();
    link.proxy(packet -> {
      seen.add(packet.kind() + " " + packet.data().remaining());
      return SimulatedProxy.SEND;
    });
    Pair pair = pair();
    pair.client().write(bytes("abc"));
    read(pair.server());
    network.advanceBy(LATENCY);
    assertEquals(List.of("SYN 0", "SYN 0", "ACK 0", "DATA 3", "ACK 0"), seen);
  }

  @Test
  void proxy_drops_tcpTriesAgain() throws IOException {
    List<SimulatedPacket.Kind> seen = new ArrayList<>();
    link.proxy(packet -> {
      seen.add(packet.kind());
      return seen.size() == 1 ? SimulatedProxy.DROP : SimulatedProxy.SEND;
    });
    pair();
    assertEquals(1_003, network.elapsed().toMillis());
  }

  @Test
  void proxy_delaysAndRepeats() throws IOException {
    link.proxy(packet -> List.of(Duration.ofSeconds(1), Duration.ofSeconds(1)));
    assertEquals(List.of(0, 0), exchange(1));
    assertEquals(1_001, network.elapsed().toMillis());
    link.proxy(null);
    assertEquals(List.of(0), exchange(1));
  }

  // Old connections.

  @Test
  void powerOff_samePortAgain_peerForgetsTheOldConnection() throws IOException {
    ServerSocketChannel listener = server.provider().openServerSocketChannel().bind(SERVER);
    SocketChannel first = client.provider().openSocketChannel().bind(at("10.0.0.2", 5_000));
    first.connect(SERVER);
    SocketChannel old = listener.accept();
    client.powerOff();
    client.restart();
    SocketChannel second = client.provider().openSocketChannel().bind(at("10.0.0.2", 5_000));
    second.connect(SERVER);
    assertThrows(SocketException.class, () -> read(old));
    SocketChannel fresh = listener.accept();
    second.write(bytes("a"));
    assertEquals(1, read(fresh));
  }

  @Test
  void powerOff_restart_sendsNothingOfBefore() throws IOException {
    Pair pair = pair();
    link.cut();
    pair.server().write(bytes("x"));
    server.powerOff();
    server.restart();
    link.heal();
    assertThrows(SimulationStalledException.class, () -> read(pair.client()));
  }

  @Test
  void latePacket_ofAnOldConnection_doesNotReachTheNew() throws IOException {
    ServerSocketChannel listener = server.provider().openServerSocketChannel().bind(SERVER);
    SocketChannel first = client.provider().openSocketChannel().bind(at("10.0.0.2", 5_000));
    first.connect(SERVER);
    listener.accept();
    link.proxy(packet -> List.of(Duration.ofSeconds(10)));
    first.write(bytes("old"));
    link.proxy(null);
    client.powerOff();
    server.powerOff();
    client.restart();
    server.restart();
    ServerSocketChannel again = server.provider().openServerSocketChannel().bind(SERVER);
    SocketChannel second = client.provider().openSocketChannel().bind(at("10.0.0.2", 5_000));
    second.connect(SERVER);
    SocketChannel fresh = again.accept();
    network.advanceBy(Duration.ofSeconds(20));
    second.write(bytes("new"));
    ByteBuffer target = ByteBuffer.allocate(10);
    fresh.read(target);
    assertEquals("new", new String(target.array(), 0, target.position(), StandardCharsets.UTF_8));
  }

  // Wrong use.

  @Test
  void badSettings_areRefused() {
    var negative = Duration.ofNanos(-1);
    assertThrows(IllegalArgumentException.class, () -> link.latency(negative));
    assertThrows(IllegalArgumentException.class, () -> link.bandwidth(0));
    assertThrows(IllegalArgumentException.class, () -> link.queue(-1));
    assertThrows(IllegalArgumentException.class, () -> link.duplication(-0.1));
    assertThrows(IllegalArgumentException.class, () -> link.splitting(1.1));
    assertThrows(IllegalArgumentException.class, () -> link.loss(Double.NaN));
    var failure = assertThrows(IllegalArgumentException.class, () -> link.loss(1.1));
    assertEquals("loss must be from 0 to 1: loss=1.1", failure.getMessage());
    assertThrows(
        IllegalArgumentException.class,
        () -> SimulatedLatency.uniform(Duration.ofMillis(2), Duration.ofMillis(1)));
    assertThrows(IllegalArgumentException.class, () -> SimulatedLatency.normal(LATENCY, negative));
  }

  @Test
  void unknownHosts_areRefused() {
    SimulatedHost stranger = new SimulatedNetwork().host("stranger", "10.0.0.9");
    var failure =
        assertThrows(IllegalArgumentException.class, () -> network.link(client, stranger));
    assertEquals("the host is of another network: host=stranger", failure.getMessage());
    failure = assertThrows(IllegalArgumentException.class, () -> network.link(client, client));
    assertEquals("a host has no link to itself: host=client", failure.getMessage());
    assertThrows(
        IllegalArgumentException.class,
        () -> network.links(List.of(client, server), List.of(server)));
  }

  @Test
  void chance_withoutGenerator_isRefused() {
    SimulatedLinks links = new SimulatedNetwork().links();
    var failure = assertThrows(IllegalStateException.class, () -> links.loss(0.1));
    assertEquals(
        "the network has nothing to draw from: call SimulatedNetwork.random(..) before",
        failure.getMessage());
    assertThrows(
        IllegalStateException.class,
        () -> links.latency(SimulatedLatency.normal(LATENCY, LATENCY)));
    links.loss(0);
  }
}
