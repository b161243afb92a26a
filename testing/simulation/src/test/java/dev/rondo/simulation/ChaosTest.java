package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.EveryBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// Faults of a world that happen by chance.
@EveryBackend
@BackendsDiffer
final class ChaosTest extends BackendTest {

  private static final int SEEDS = 50;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration NEVER = Duration.ofDays(100_000);

  private World world(long seed) {
    return World.withSeed(seed).applications(it -> it.backend(backend));
  }

  private static void sleeps(WorldHost host) {
    host.application().sleep(NEVER);
  }

  private void assumeMortal() {
    assumeTrue(backend.sharesThread());
  }

  /// All kinds that the backend can carry.
  private Chaos everything() {
    Chaos chaos =
        Chaos.partitions().and(Chaos.pauses()).and(Chaos.clockSkew(Duration.ofMillis(500)));
    return backend.sharesThread() ? chaos.and(Chaos.crashes()).and(Chaos.powerFailures()) : chaos;
  }

  private static boolean linked(WorldHost one, WorldHost other) {
    return one.world().network().link(one.simulated(), other.simulated()).areOpen();
  }

  private static boolean runs(WorldHost host) {
    return host.isUp() && !host.isPaused();
  }

  /// What the chaos adds to the wall clock, on top of the offset that the test has set.
  private static Duration skew(WorldHost host, Duration offset) {
    return Duration.between(HostClock.EPOCH.plus(host.world().elapsed()), host.clock().instant())
        .minus(offset);
  }

  /// How many hosts are not among the most that run and reach each other.
  private static int impaired(Collection<WorldHost> hosts) {
    int most = 0;
    for (WorldHost each : hosts) {
      int reached = 0;
      for (WorldHost other : hosts) {
        if (runs(each) && runs(other) && (each == other || linked(each, other))) {
          reached++;
        }
      }
      most = Math.max(most, reached);
    }
    return hosts.size() - most;
  }

  // Kinds.

  /// Lets an hour pass, and counts how often a host comes into a state and leaves it.
  private void assertComesAndGoes(Chaos chaos, BiPredicate<World, WorldHost> state) {
    try (World world = world(42)) {
      List<WorldHost> hosts = world.hosts("host", 3, ChaosTest::sleeps);
      var hit = new TreeSet<String>();
      var changes = new ArrayList<String>();
      world.always(
          "watched",
          () -> {
            for (WorldHost each : hosts) {
              boolean is = state.test(world, each);
              if (is && hit.add(each.name())) {
                changes.add(each.name());
              } else if (!is) {
                hit.remove(each.name());
              }
            }
            return true;
          });
      world.runFor(HOUR);
      assertEquals(List.of(), changes);
      world.chaos(chaos);
      world.runFor(HOUR);
      // 60 on average, less those that find another host failed
      assertTrue(changes.size() > 30 && changes.size() < 90, changes.toString());
      assertEquals(Set.of("host-1", "host-2", "host-3"), Set.copyOf(changes));
      world.heal();
      assertTrue(hosts.stream().noneMatch(each -> state.test(world, each)));
    }
  }

  @Test
  void crashes_hostsGoDownAndComeBack() {
    assumeMortal();
    assertComesAndGoes(Chaos.crashes(), (world, host) -> !host.isUp());
  }

  @Test
  void powerFailures_hostsGoDownAndComeBack() {
    assumeMortal();
    assertComesAndGoes(Chaos.powerFailures(), (world, host) -> !host.isUp());
  }

  @Test
  void pauses_hostsStandStillAndGoOn() {
    assertComesAndGoes(Chaos.pauses(), (world, host) -> host.isPaused());
  }

  @Test
  void clockSkew_wallClocksJumpAndJumpBack() {
    Duration most = Duration.ofMillis(500);
    assertComesAndGoes(
        Chaos.clockSkew(most),
        (world, host) -> {
          assertTrue(skew(host, Duration.ZERO).abs().compareTo(most) <= 0);
          return !skew(host, Duration.ZERO).isZero();
        });
  }

  @Test
  void partitions_hostsAreCutOffAndReachable() {
    assertComesAndGoes(
        Chaos.partitions(),
        (world, host) ->
            world.hosts().stream().noneMatch(other -> other != host && linked(host, other)));
  }

  @Test
  void everyAndLasting_setTheMeans() {
    try (World world = world(42)) {
      WorldHost host = world.host("host", ChaosTest::sleeps);
      world.chaos(
          Chaos.pauses()
              .every(SECOND.multipliedBy(4))
              .lasting(SECOND.multipliedBy(4))
              .atMostDown(1));
      int paused = 0;
      for (int i = 0; i < 3_600; i++) {
        world.runFor(SECOND);
        paused += host.isPaused() ? 1 : 0;
      }
      // a pause of 4 s, and 4 s until the next fault
      assertEquals(1_800, paused, 300);
    }
  }

  // Rules.

  @Test
  void atMostDown_holdsAtEveryMoment() {
    int worst = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      try (World world = world(seed)) {
        List<WorldHost> servers = world.hosts("server", 5, ChaosTest::sleeps);
        WorldHost client = world.host("client", ChaosTest::sleeps);
        world.chaos(everything().every(SECOND).lasting(SECOND.multipliedBy(2)).on(servers));
        var most = new int[1];
        world.always(
            "a majority reaches each other",
            () -> {
              most[0] = Math.max(most[0], impaired(servers));
              return most[0] <= 2;
            });
        world.always("the client runs", () -> runs(client) && skew(client, Duration.ZERO).isZero());
        world.runFor(Duration.ofMinutes(1));
        worst = Math.max(worst, most[0]);
      }
    }
    assertEquals(2, worst);
  }

  @Test
  void atMostDown_countsWhatTheTestDoes() {
    try (World world = world(42)) {
      List<WorldHost> hosts = world.hosts("host", 3, ChaosTest::sleeps);
      hosts.getFirst().pause();
      world.chaos(everything().every(SECOND).atMostDown(1));
      world.always("no other fails", () -> impaired(hosts) == 1 && hosts.getFirst().isPaused());
      world.runFor(HOUR);
      world.heal();
      assertTrue(hosts.getFirst().isPaused());
    }
  }

  @Test
  void twoAtATime_haveHostsAndRulesOfTheirOwn() {
    try (World world = world(42)) {
      List<WorldHost> servers = world.hosts("server", 3, ChaosTest::sleeps);
      List<WorldHost> stores = world.hosts("store", 2, ChaosTest::sleeps);
      Chaos pauses = Chaos.pauses().every(SECOND);
      world.chaos(pauses.on(servers)).chaos(pauses.on(stores).atMostDown(2));
      world.always("a majority of the servers runs", () -> impaired(servers) <= 1);
      world.runUntil(() -> stores.stream().allMatch(WorldHost::isPaused), HOUR);
      world.runUntil(() -> servers.stream().anyMatch(WorldHost::isPaused), HOUR);
      world.heal().runFor(HOUR);
      assertTrue(world.hosts().stream().allMatch(ChaosTest::runs));
    }
  }

  @Test
  void twoAtATime_onTheSameHosts_countEachOthersFaults() {
    int worst = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      try (World world = world(seed)) {
        List<WorldHost> hosts = world.hosts("host", 3, ChaosTest::sleeps);
        world.chaos(Chaos.partitions().every(SECOND).lasting(SECOND));
        world.chaos(Chaos.pauses().every(SECOND).lasting(SECOND));
        var most = new int[1];
        world.always(
            "two of three reach each other",
            () -> {
              most[0] = Math.max(most[0], impaired(hosts));
              return most[0] <= 1;
            });
        world.runFor(Duration.ofSeconds(10));
        worst = Math.max(worst, most[0]);
      }
    }
    assertEquals(1, worst);
  }

  // The end.

  @Test
  void heal_undoesAll_andNothingFollows() {
    int undone = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      try (World world = world(seed)) {
        List<WorldHost> hosts = world.hosts("host", 5, host -> {});
        hosts.forEach(host -> host.clock().offset(SECOND));
        world.chaos(everything().every(SECOND).lasting(SECOND.multipliedBy(2)));
        world.runFor(Duration.ofSeconds(20));
        undone += impaired(hosts);
        assertEquals(world, world.heal());
        assertEquals(0, impaired(hosts));
        hosts.forEach(host -> assertEquals(Duration.ZERO, skew(host, SECOND)));
        assertThrows(SimulationStalledException.class, () -> world.runUntil(() -> false, HOUR));
      }
    }
    assertTrue(undone > SEEDS / 2, "undone=" + undone);
  }

  @Test
  void heal_withoutChaos_doesNothing_andChaosMayFollow() {
    try (World world = world(42)) {
      world.hosts("host", 3, ChaosTest::sleeps);
      world.heal();
      world.chaos(Chaos.pauses());
      world.heal();
      world.heal();
      world.chaos(Chaos.pauses());
    }
  }

  @Test
  void partitions_andCutsOfTheTest_areApart() {
    try (World world = world(42)) {
      WorldHost one = world.host("one", ChaosTest::sleeps);
      WorldHost other = world.host("other", ChaosTest::sleeps);
      world.network().link(one.simulated(), other.simulated()).cut();
      world.chaos(Chaos.partitions().every(SECOND).lasting(HOUR).atMostDown(1));
      world.runFor(Duration.ofMinutes(1));
      world.network().links().heal();
      assertFalse(linked(one, other));
      world.network().link(one.simulated(), other.simulated()).cut();
      world.heal();
      assertFalse(linked(one, other));
      world.network().links().heal();
      assertTrue(linked(one, other));
    }
  }

  @Test
  void close_duringFaults_endsThem() {
    World world = world(42);
    List<WorldHost> hosts = world.hosts("host", 3, ChaosTest::sleeps);
    world.chaos(everything().every(SECOND).lasting(HOUR));
    world.runUntil(() -> impaired(hosts) == 1, HOUR);
    world.close();
    assertTrue(hosts.stream().noneMatch(WorldHost::isPaused));
  }

  @Test
  void hostRestartedByTheTest_isLeftAlone() {
    assumeMortal();
    try (World world = world(42)) {
      List<WorldHost> hosts = world.hosts("host", 3, ChaosTest::sleeps);
      world.chaos(Chaos.crashes());
      world.runUntil(() -> impaired(hosts) == 1, HOUR);
      hosts.stream().filter(each -> !each.isUp()).forEach(WorldHost::restart);
      world.runFor(HOUR);
      world.heal();
      assertEquals(0, impaired(hosts));
    }
  }

  // The same seed.

  private long digest(long seed) {
    try (World world = world(seed)) {
      faulty(world);
      return world.digest();
    }
  }

  private void faulty(World world) {
    world.applications(it -> it.backend(backend));
    world.hosts("host", 3, ChaosTest::sleeps);
    world.chaos(everything());
    world.runFor(HOUR);
  }

  @Test
  void sameSeed_sameFaults() {
    var digests = new TreeSet<Long>();
    for (int seed = 0; seed < 20; seed++) {
      assertEquals(digest(seed), digest(seed));
      digests.add(digest(seed));
      World.checkDeterminism(seed, this::faulty);
    }
    assertEquals(20, digests.size());
  }

  @Test
  void failureOfARun_listsTheLastFaults() {
    try (World world = world(42)) {
      world.hosts("host", 3, ChaosTest::sleeps);
      world.chaos(Chaos.pauses());
      world.always("half an hour", () -> world.elapsed().toMinutes() < 30);
      var error = assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR));
      String message = error.getMessage();
      String faults =
          message.substring(
              message.indexOf("\nfaults so far: "), message.indexOf("\nwhat the tasks are doing:"));
      assertTrue(faults.contains(", the last ones:\n  at "), faults);
      assertTrue(faults.matches("(?s).*\n  at [^\n]*: pause of host 'host-.'.*"), faults);
      assertTrue(faults.matches("(?s).*\n  at [^\n]*: resume of host 'host-.'.*"), faults);
      assertEquals(11, faults.strip().lines().count(), faults);
    }
  }

  @Test
  void unobservedFailure_listsTheFaults() {
    try (World world = world(42)) {
      WorldHost host =
          world.host(
              "host",
              it -> {
                it.application().sleep(SECOND);
                throw new IllegalArgumentException("broken");
              });
      host.pause();
      host.resume();
      var error = assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR));
      assertTrue(
          error
              .getMessage()
              .contains(
                  "\nfaults so far: 2:\n  at 0 s: pause of host 'host'\n  at 0 s: resume of host"
                      + " 'host'\nwhat the tasks are doing:\n"),
          error.getMessage());
    }
  }

  // Bad input.

  private static void assertRefused(String expected, Executable call) {
    var refused = assertThrows(IllegalArgumentException.class, call);
    assertTrue(refused.getMessage().contains(expected), refused.getMessage());
  }

  @Test
  void deadlyFaults_otherBackends_areRefusedAtOnce() {
    assumeFalse(backend.sharesThread());
    try (World world = world(42)) {
      world.hosts("host", 3, ChaosTest::sleeps);
      for (Chaos each : List.of(Chaos.crashes(), Chaos.pauses().and(Chaos.powerFailures()))) {
        var refused = assertThrows(UnsupportedOperationException.class, () -> world.chaos(each));
        assertTrue(refused.getMessage().contains(backend.name()), refused.getMessage());
      }
      world.chaos(Chaos.pauses());
    }
  }

  @Test
  void badDescriptions_areRefused() {
    Chaos pauses = Chaos.pauses();
    assertRefused("every must be more than zero: interval=0", () -> pauses.every(Duration.ZERO));
    assertRefused("lasting must be more than zero", () -> pauses.lasting(Duration.ofNanos(-1)));
    assertRefused("clockSkew must be more than zero", () -> Chaos.clockSkew(Duration.ZERO));
    assertRefused("atMostDown must be at least 0: count=-1", () -> pauses.atMostDown(-1));
    assertRefused("needs hosts", () -> pauses.on(List.of()));
    assertRefused("there are pauses already", () -> pauses.and(Chaos.pauses()));
    assertRefused("rules", () -> pauses.and(Chaos.crashes().atMostDown(1)));
  }

  @Test
  void rulesThatDoNotFit_areRefused_andNothingHappens() {
    try (World world = world(42);
        World another = world(43)) {
      Chaos pauses = Chaos.pauses();
      assertRefused("chaos needs hosts", () -> world.chaos(pauses));
      WorldHost host = world.host("host", ChaosTest::sleeps);
      WorldHost stranger = another.host("stranger", ChaosTest::sleeps);
      assertRefused("count=2, hosts=1", () -> world.chaos(pauses.atMostDown(2)));
      assertRefused("there can be no pauses", () -> world.chaos(pauses));
      assertRefused("two hosts", () -> world.chaos(Chaos.partitions().atMostDown(1)));
      assertRefused(
          "host 'stranger' is not of this world", () -> world.chaos(pauses.on(List.of(stranger))));
      world.runFor(HOUR);
      assertTrue(runs(host));
      world.chaos(Chaos.clockSkew(SECOND));
      world.runUntil(() -> !skew(host, Duration.ZERO).isZero(), HOUR);
    }
  }

  @Test
  void chaosAndHeal_inATurn_orClosed_areRefused() {
    World world = world(42);
    var refused = new ArrayList<Throwable>();
    world.host(
        "host",
        host -> {
          refused.add(assertThrows(IllegalStateException.class, () -> world.chaos(everything())));
          refused.add(assertThrows(IllegalStateException.class, world::heal));
        });
    world.runFor(SECOND);
    assertEquals(2, refused.size());
    world.close();
    assertThrows(IllegalStateException.class, () -> world.chaos(everything()));
    assertThrows(IllegalStateException.class, world::heal);
  }

  @Test
  void description_isImmutable_andReadable() {
    Chaos pauses = Chaos.pauses();
    Chaos rare = pauses.every(HOUR).and(Chaos.crashes());
    assertNotEquals(pauses.toString(), rare.toString());
    assertEquals("chaos: pauses every 1 min for 10 s", pauses.toString());
  }
}
