package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.io.UdpSocket;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.scheduler.testing.EveryBackend;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Chaos on the links of hosts, as a stream of datagrams experiences it.
@EveryBackend
final class ChaosOfLinksTest extends BackendTest {

  private static final int PORT = 7;
  private static final Duration PERIOD = Duration.ofMillis(100);
  private static final Duration LATENCY = Duration.ofNanos(100_000);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  /// With its headers a datagram has 100 bytes.
  private static final int DATAGRAM = 72;

  private World world;
  private WorldHost sender;
  private WorldHost receiver;
  private long sent;
  private long received;
  private Duration longest = Duration.ZERO;

  /// How often datagrams have had a delay.
  private final TreeMap<Duration, Integer> delays = new TreeMap<>();

  @BeforeEach
  void open() {
    world = World.withSeed(42).applications(it -> it.backend(backend));
    receiver = world.host("receiver", this::receive);
    sender = world.host("sender", this::send);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private void send(WorldHost host) throws IOException {
    Application app = host.application();
    try (UdpSocket socket = UdpSocket.open(app.io(), new InetSocketAddress(0))) {
      var target = new InetSocketAddress(receiver.address(), PORT);
      while (true) {
        app.sleep(PERIOD);
        var datagram = ByteBuffer.allocate(DATAGRAM).putLong(0, world.elapsed().toNanos());
        socket.send(datagram, target);
        sent++;
      }
    }
  }

  private void receive(WorldHost host) throws IOException {
    try (UdpSocket socket =
        UdpSocket.open(host.application().io(), new InetSocketAddress(host.address(), PORT))) {
      var buffer = ByteBuffer.allocate(DATAGRAM);
      while (true) {
        var _ = socket.receive(buffer.clear());
        received++;
        Duration delay = world.elapsed().minusNanos(buffer.getLong(0));
        int _ = delays.merge(delay, 1, Integer::sum);
        longest = delay.compareTo(longest) > 0 ? delay : longest;
      }
    }
  }

  /// Lets an hour of chaos pass, and checks that nothing of it is left afterwards.
  private void anHourOf(Chaos chaos) {
    world.chaos(chaos.every(Duration.ofMinutes(1)).on(List.of(sender)).atMostDown(1));
    world.runFor(HOUR);
    world.heal();
    world.runFor(SECOND.plus(PERIOD.dividedBy(2))); // nothing is under way
    long lost = sent - received;
    delays.merge(LATENCY, 0, Integer::sum);
    int usual = delays.get(LATENCY);
    int others = delays.size();
    long before = sent;
    world.runFor(Duration.ofMinutes(1));
    assertEquals(lost, sent - received, "lost or repeated after heal()");
    assertEquals(usual + sent - before, delays.get(LATENCY).longValue(), "late after heal()");
    assertEquals(others, delays.size());
  }

  @Test
  void losses_loseSomeWhileTheyLast() {
    anHourOf(Chaos.losses(0.5));
    // a fault is under way 1/7 of the time, and half of what is sent then is lost
    assertEquals(sent / 14.0, (double) (sent - received), sent / 28.0);
    assertEquals(LATENCY, longest);
  }

  @Test
  void duplications_deliverTwice() {
    anHourOf(Chaos.duplications(1));
    assertEquals(sent / 7.0, (double) (received - sent), sent / 14.0);
    assertEquals(LATENCY, longest);
  }

  @Test
  void latencySpikes_makeLate() {
    anHourOf(Chaos.latencySpikes(SECOND));
    assertEquals(sent, received);
    assertTrue(longest.compareTo(SECOND.plus(LATENCY)) <= 0, longest::toString);
    assertTrue(longest.compareTo(Duration.ofMillis(900)) > 0, longest::toString);
  }

  @Test
  void slowLinks_makeLate_byTheBytes() {
    anHourOf(Chaos.slowLinks(2_000));
    assertEquals(sent, received);
    Duration slow = LATENCY.plusMillis(50);
    assertEquals(slow, longest);
    // all but one datagram of each fault: the one that is being sent when it ends
    assertEquals((double) sent, (double) (delays.get(LATENCY) + delays.get(slow)), 100.0);
  }

  @Test
  void holds_deliverLate_inOrder() {
    anHourOf(Chaos.holds().lasting(SECOND)); // longer ones fill the receiver's buffer
    assertEquals(sent, received);
    assertTrue(longest.compareTo(SECOND) > 0, longest::toString);
  }

  @Test
  void oneWayCuts_loseWhatIsSentOneWay() {
    int[] seen = new int[4];
    world.always(
        "one way at most",
        () -> {
          boolean there = oneWay(sender, receiver).areOpen();
          boolean back = oneWay(receiver, sender).areOpen();
          seen[(there ? 1 : 0) + (back ? 2 : 0)]++;
          return there || back;
        });
    anHourOf(Chaos.oneWayCuts());
    assertTrue(seen[1] > 0 && seen[2] > 0, () -> List.of(seen[1], seen[2]).toString());
    // cut off 1/7 of the time, in half of the cases from the sender on
    assertEquals(sent / 14.0, (double) (sent - received), sent / 20.0);
  }

  private SimulatedLinks oneWay(WorldHost from, WorldHost to) {
    return world.network().oneWay(from.simulated(), to.simulated());
  }

  // Rules, and what the test sets.

  @Test
  void settingsOfTheTest_stay() {
    SimulatedLinks links = world.network().links().latency(SECOND);
    world.chaos(
        Chaos.latencySpikes(HOUR)
            .and(Chaos.losses(1))
            .and(Chaos.slowLinks(1))
            .every(SECOND)
            .lasting(HOUR));
    world.runFor(Duration.ofMinutes(1));
    links.latency(SECOND.multipliedBy(2));
    world.heal();
    world.runFor(HOUR.multipliedBy(2)); // what was late has arrived
    delays.clear();
    world.runFor(Duration.ofMinutes(1));
    assertEquals(List.of(SECOND.multipliedBy(2)), List.copyOf(delays.keySet()));
  }

  @Test
  void holdsOfTheTestAndOfChaos_areApart() {
    SimulatedLinks link = world.network().link(sender.simulated(), receiver.simulated());
    world.chaos(Chaos.holds().every(SECOND).lasting(HOUR).on(List.of(sender)).atMostDown(1));
    world.runUntil(() -> !link.areOpen(), HOUR);
    world.network().links().heal();
    assertEquals(false, link.areOpen());
    link.hold();
    world.heal();
    long before = received;
    world.runFor(SECOND);
    assertEquals(before, received);
    link.heal();
    world.runFor(SECOND);
    assertTrue(sent - received <= 1);
  }

  @Test
  void linksOfOtherHosts_areLeftAlone() {
    world.host("third", host -> host.application().sleep(HOUR));
    world.chaos(
        Chaos.losses(1)
            .and(Chaos.duplications(1))
            .and(Chaos.latencySpikes(SECOND))
            .every(SECOND)
            .on(List.of(world.hosts().getLast())));
    world.runFor(HOUR);
    assertTrue(Math.abs(sent - received) <= 1, () -> sent + " sent, " + received + " received");
    assertEquals(LATENCY, longest);
  }

  @Test
  void badLinks_doNotCountAsDown_cutOffHostsDo() {
    world.chaos(
        Chaos.losses(1)
            .and(Chaos.duplications(0.1))
            .and(Chaos.splits(0.1))
            .and(Chaos.latencySpikes(SECOND))
            .and(Chaos.slowLinks(10))
            .atMostDown(0));
    world.heal();
    for (Chaos each : List.of(Chaos.oneWayCuts(), Chaos.holds())) {
      assertThrows(IllegalArgumentException.class, () -> world.chaos(each.atMostDown(0)));
      world.chaos(each.every(SECOND).lasting(HOUR).atMostDown(1));
      world.runUntil(
          () -> !oneWay(sender, receiver).areOpen() || !oneWay(receiver, sender).areOpen(), HOUR);
      world.heal();
    }
  }

  @Test
  void badSizes_areRefused() {
    for (double part : new double[] {0, -0.1, 1.1, Double.NaN}) {
      assertThrows(IllegalArgumentException.class, () -> Chaos.losses(part));
      assertThrows(IllegalArgumentException.class, () -> Chaos.duplications(part));
      assertThrows(IllegalArgumentException.class, () -> Chaos.splits(part));
    }
    assertThrows(IllegalArgumentException.class, () -> Chaos.slowLinks(0));
    assertThrows(IllegalArgumentException.class, () -> Chaos.latencySpikes(Duration.ZERO));
    var tooLong =
        assertThrows(
            IllegalArgumentException.class, () -> Chaos.latencySpikes(Duration.ofDays(366)));
    assertEquals("latencySpikes must be at most 365 d: most=366 d", tooLong.getMessage());
    try (World alone = World.withSeed(1).applications(it -> it.backend(backend))) {
      alone.host("alone", host -> {});
      var refused =
          assertThrows(IllegalArgumentException.class, () -> alone.chaos(Chaos.losses(1)));
      assertEquals("losses need two hosts", refused.getMessage());
    }
  }
}
