package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterTls;
import dev.rondo.cluster.config.EtcdServers;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.cluster.members.Quorum;
import dev.rondo.cluster.simulation.FaultyEtcd;
import dev.rondo.cluster.simulation.SimulatedEtcd;
import dev.rondo.condition.Cell;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.simulation.SimulatedHost;
import dev.rondo.simulation.SimulatedLatency;
import dev.rondo.simulation.SimulatedLinks;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A cluster on the hosts of a world does what
/// [docs/modules/cluster.md](../../../../../../../docs/modules/cluster.md) says, at the times that
/// it says.
final class WorldEngineTest {

  private static final int PORT = 7800;
  private static final List<String> NODES = List.of("a", "b", "c");
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final Duration TTL = Duration.ofSeconds(5);

  private final World world = World.withSeed(1);
  private WorldHost etcd;
  private final Map<String, WaitForCluster> clusters = new HashMap<>();
  private final List<String> log = new ArrayList<>();

  @BeforeEach
  void addEtcd() {
    etcd = EtcdWorld.addTo(world);
  }

  @AfterEach
  void close() {
    world.close();
  }

  // Nodes.

  private interface Code {
    void run(WorldHost host, WaitForCluster cluster) throws Exception;
  }

  private static InetSocketAddress at(int number) {
    return new InetSocketAddress(InetAddress.ofLiteral("10.0.0." + number), PORT);
  }

  private static ClusterConfig config(String name, WorldHost host) {
    return withoutEtcd(name, host).withEtcd(EtcdWorld.servers());
  }

  private static ClusterConfig withoutEtcd(String name, WorldHost host) {
    return ClusterConfig.of(name)
        .secured(ClusterTls.simulated())
        .at(new InetSocketAddress(host.address(), PORT))
        .with(IntStream.rangeClosed(1, 3).mapToObj(WorldEngineTest::at).toList());
  }

  private WorldHost node(String name, Code code) {
    return world.host(
        name,
        host -> {
          WaitForCluster cluster = WaitForCluster.on(host.scheduler(), config(name, host));
          cluster.join();
          clusters.put(name, cluster);
          code.run(host, cluster);
        });
  }

  private WorldHost node(String name) {
    return node(name, (host, cluster) -> {});
  }

  private void joined(String... names) {
    until(() -> clusters.keySet().containsAll(List.of(names)));
  }

  /// Three nodes, which see each other.
  private List<WorldHost> voters(Code code) {
    List<WorldHost> hosts = NODES.stream().map(name -> node(name, code)).toList();
    until(() -> sizes().equals(List.of(3, 3, 3)));
    return hosts;
  }

  private List<Integer> sizes() {
    return clusters.values().stream().map(each -> each.members().get().all().size()).toList();
  }

  private void until(BooleanSupplier condition) {
    world.runUntil(condition, LIMIT);
  }

  private Duration timeUntil(BooleanSupplier condition) {
    Duration begin = world.elapsed();
    until(condition);
    return world.elapsed().minus(begin);
  }

  /// Runs code as a task of a node.
  private void begin(WorldHost host, String name, Code code) {
    host.scheduler()
        .spawn(
            "test",
            () -> {
              try {
                code.run(host, clusters.get(name));
              } catch (RuntimeException e) {
                log.add(e.getClass().getSimpleName());
              }
            });
  }

  private static void assertBetween(double least, double most, Duration taken) {
    double seconds = taken.toMillis() / 1000.0;
    assertTrue(seconds >= least && seconds <= most, () -> "took " + taken);
  }

  private String failureOf(WorldHost host) {
    return host.toleratedFailures().getFirst().getMessage();
  }

  // Members.

  @Test
  void aProcessThatIsKilled_isGoneAfterASecond_andComesBackWithItsValues() {
    List<WorldHost> hosts = voters((host, cluster) -> log.add("" + cluster.counter("c").add(1)));
    WorldHost a = hosts.getFirst();
    until(() -> log.size() == 3);
    a.crash();
    clusters.remove("a");
    assertBetween(1, 1.5, timeUntil(() -> sizes().equals(List.of(2, 2))));
    a.restart();
    until(() -> log.size() == 4);
    assertEquals(List.of("1", "2", "3", "4"), log.stream().sorted().toList());
    assertEquals(List.of(3, 3, 3), sizes());
  }

  @Test
  void aProcessThatStartsAgainAtOnce_waitsForItsName() {
    List<WorldHost> hosts = voters((host, cluster) -> {});
    clusters.remove("c");
    hosts.get(2).crash();
    hosts.get(2).restart();
    assertBetween(1, 2, timeUntil(() -> clusters.containsKey("c")));
  }

  @Test
  void aMachineWithoutPower_isGoneAfterTheSilence() {
    List<WorldHost> hosts = voters((host, cluster) -> {});
    clusters.remove("c");
    hosts.get(2).powerOff();
    assertBetween(7.5, 8.5, timeUntil(() -> sizes().equals(List.of(2, 2))));
  }

  @Test
  void aMemberThatLeaves_isGoneAtOnce_andMayComeBack() {
    List<WorldHost> hosts = voters((host, cluster) -> {});
    begin(hosts.get(2), "c", (host, cluster) -> cluster.leave());
    assertBetween(0, 0.1, timeUntil(() -> sizes().equals(List.of(2, 2, 1))));
    begin(hosts.get(2), "c", (host, cluster) -> cluster.join());
    assertBetween(0, 2, timeUntil(() -> sizes().equals(List.of(3, 3, 3))));
  }

  @Test
  void aNodeThatLeavesAndJoinsAtOnce_mayReceiveLettersOfBeforeMeanwhile() {
    int letters = 1_000;
    List<WorldHost> hosts =
        voters((host, cluster) -> {
          if (host.name().equals("a")) {
            try (Mailbox<String> box = cluster.mailbox("box", Codec.utf8())) {
              host.application().sleep(Duration.ofSeconds(5));
              for (int i = 0; i < letters; i++) {
                log.add(box.receive());
                host.application().sleep(Duration.ofMillis(1));
              }
            }
          }
        });
    begin(
        hosts.get(2),
        "c",
        (host, cluster) -> {
          RemoteMailbox<String> box = cluster.to("a", "box", Codec.utf8());
          for (int i = 0; i < letters; i++) {
            var _ = box.send("" + i);
          }
        });
    until(() -> log.size() == 100);
    begin(
        hosts.getFirst(),
        "a",
        (host, cluster) -> {
          cluster.leave();
          cluster.join();
          log.add("joined again");
        });
    until(() -> log.contains("joined again") && log.size() > letters / 2);
    until(() -> sizes().equals(List.of(3, 3, 3)));
  }

  @Test
  void aNameThatIsTaken_isRefused() {
    WorldHost _ = node("a");
    joined("a");
    WorldHost other =
        world.host("other", host -> WaitForCluster.on(host.scheduler(), config("a", host)).join());
    WorldHost _ = other.tolerate(ClusterException.class::isInstance);
    assertBetween(10, 10.2, timeUntil(() -> !other.toleratedFailures().isEmpty()));
    assertEquals("cluster 'rondo' has a member with the name 'a' already", failureOf(other));
  }

  @Test
  void twoNodesWithOneName_thatBeginAtTheSameTime_areOneMember() {
    WorldHost _ = node("b");
    joined("b");
    List<WorldHost> hosts = List.of(sameName("one"), sameName("two"));
    until(() -> hosts.stream().anyMatch(each -> !each.toleratedFailures().isEmpty()));
    assertEquals(List.of(2, 2), sizes());
  }

  private WorldHost sameName(String hostName) {
    return world
        .host(
            hostName,
            host -> {
              WaitForCluster cluster = WaitForCluster.on(host.scheduler(), config("a", host));
              cluster.join();
              clusters.put(hostName, cluster);
            })
        .tolerate(ClusterException.class::isInstance);
  }

  @Test
  void partsThatMeet_withOneNameTwice_loseTheYoungerNode() {
    WorldHost a = node("a");
    joined("a");
    WorldHost other = sameName("other");
    world.network().link(a.simulated(), other.simulated()).cut();
    joined("other");
    world.network().links().heal();
    assertBetween(0, 3, timeUntil(() -> !other.toleratedFailures().isEmpty()));
    assertEquals(
        "node 'a' has left: cluster 'rondo' has an older member with its name", failureOf(other));
  }

  @Test
  void joining_saysWhatIsMissing() {
    assertEquals(
        "node 'a' needs 2 members, but after 10 s there are only [a]; no member at [/10.0.0.2:7800,"
            + " /10.0.0.3:7800]",
        joinFailure("x", host -> config("a", host).withAtLeast(2)));
    assertEquals(
        "node 'a' cannot listen on /10.0.0.99:7800: it is taken, or no address of this machine",
        joinFailure("y", host -> config("a", host).at(at(99))));
    WorldHost _ = node("a");
    joined("a");
  }

  @Test
  void nodesThatAgreeBySomethingElse_doNotJoin_andBothSaySo() {
    WorldHost a = node("a");
    WorldHost _ = a.tolerate(ClusterException.class::isInstance);
    WorldHost _ = world.host("other etcd", "10.0.0.98", SimulatedEtcd::run);
    joined("a");
    String without = joinFailure("y", host -> withoutEtcd("b", host));
    assertTrue(
        without.startsWith(
            "node 'b' agrees by nothing, but member 'a' of cluster 'rondo' says that it agrees by"
                + " etcd "),
        without);
    String other = joinFailure("z", host -> withOther("c", host));
    assertTrue(
        other.matches(
            "node 'c' agrees by etcd .*, but member 'a' of cluster 'rondo' says that it agrees by"
                + " etcd .*"),
        other);
    assertEquals(2, a.toleratedFailures().size());
    assertTrue(a.toleratedFailures().getLast().getMessage().startsWith("node 'a' agrees by etcd "));
    assertEquals(1, clusters.get("a").members().get().all().size());
  }

  @Test
  void aNodeThatFindsAStrangerFirst_looksForTheOthers() {
    WorldHost _ = world.host("other etcd", "10.0.0.98", SimulatedEtcd::run);
    WorldHost a = node("a");
    joined("a");
    WorldHost stranger =
        world.host(
            "stranger", host -> WaitForCluster.on(host.scheduler(), withOther("s", host)).join());
    WorldHost b = node("b");
    for (WorldHost each : List.of(a, stranger, b)) {
      WorldHost _ = each.tolerate(ClusterException.class::isInstance);
    }
    SimulatedLinks between = world.network().link(a.simulated(), b.simulated()).cut();
    world.runFor(Duration.ofSeconds(3));
    SimulatedLinks _ = between.heal();
    until(() -> sizes().equals(List.of(2, 2)));
  }

  private static ClusterConfig withOther(String name, WorldHost host) {
    return withoutEtcd(name, host)
        .withEtcd(
            EtcdServers.secured(
                ClusterTls.simulated(),
                new InetSocketAddress(InetAddress.ofLiteral("10.0.0.98"), SimulatedEtcd.PORT)));
  }

  @Test
  void partsThatMeet_withDifferentEtcds_stayApart_andBothSaySo() {
    WorldHost _ = world.host("other etcd", "10.0.0.98", SimulatedEtcd::run);
    WorldHost a = node("a");
    WorldHost b =
        world.host(
            "b",
            host -> {
              WaitForCluster cluster = WaitForCluster.on(host.scheduler(), withOther("b", host));
              cluster.join();
              clusters.put("b", cluster);
            });
    List.of(a, b).forEach(each -> each.tolerate(ClusterException.class::isInstance));
    world.network().link(a.simulated(), b.simulated()).cut();
    joined("a", "b");
    world.network().links().heal();
    until(() -> !a.toleratedFailures().isEmpty() && !b.toleratedFailures().isEmpty());
    world.runFor(Duration.ofMinutes(1));
    assertEquals(List.of(1, 1), sizes());
    assertEquals(1, a.toleratedFailures().size());
    assertEquals(1, b.toleratedFailures().size());
  }

  private String joinFailure(String name, Function<WorldHost, ClusterConfig> config) {
    WorldHost added =
        world.host(name, host -> WaitForCluster.on(host.scheduler(), config.apply(host)).join());
    WorldHost _ = added.tolerate(ClusterException.class::isInstance);
    until(() -> !added.toleratedFailures().isEmpty());
    return failureOf(added);
  }

  // Messages.

  @Test
  void messages_arriveInOrder_alsoLargeOnesOnABadNetwork() {
    var _ =
        world
            .network()
            .links()
            .latency(SimulatedLatency.exponential(Duration.ofMillis(1), Duration.ofMillis(20)))
            .loss(0.2)
            .duplication(0.2);
    String large = "x".repeat(300_000);
    voters((host, cluster) -> {
      if (host.name().equals("a")) {
        try (Mailbox<String> box = cluster.mailbox("box", Codec.utf8())) {
          for (int i = 0; i < 20; i++) {
            log.add(box.receive());
          }
        }
      }
    });
    begin(
        world.hosts().getLast(),
        "c",
        (host, cluster) -> {
          RemoteMailbox<String> box = cluster.to("a", "box", Codec.utf8());
          for (int i = 0; i < 20; i++) {
            box.send(i == 10 ? large : "" + i).awaitTaken();
          }
        });
    until(() -> log.size() == 20);
    assertEquals(large, log.get(10));
    assertEquals("19", log.getLast());
  }

  // What is agreed on.

  @Test
  void aNodeThatIsCutOff_losesItsLease_beforeAnotherHasIt_andWhatItAsksIsUnknown() {
    List<WorldHost> hosts =
        voters((host, cluster) -> {
          if (host.name().equals("a")) {
            try (Lease lease = cluster.lease("l").acquire(TTL)) {
              log.add("a has it");
              lease.run(() -> host.scheduler().suspend());
            } catch (LeaseLostException e) {
              log.add("a has lost it");
            }
          }
        });
    until(() -> log.contains("a has it"));
    var _ = world.network().links(List.of(hosts.getFirst().simulated()), others(hosts)).cut();
    begin(
        hosts.getLast(),
        "c",
        (host, cluster) -> {
          Lease _ = cluster.lease("l").acquire(TTL);
          log.add("c has it");
        });
    begin(hosts.getFirst(), "a", (host, cluster) -> log.add("" + cluster.counter("c").get()));
    until(() -> log.contains("c has it"));
    assertEquals(List.of("a has it", "a has lost it", "c has it"), log);
    begin(hosts.getFirst(), "a", (host, cluster) -> cluster.leave());
    until(() -> log.contains("OutcomeUnknownException"));
    until(() -> sizes().stream().sorted().toList().equals(List.of(1, 2, 2)));
  }

  private List<SimulatedHost> others(List<WorldHost> hosts) {
    return Stream.concat(hosts.stream().skip(1), Stream.of(etcd))
        .map(WorldHost::simulated)
        .toList();
  }

  @Test
  void withoutEtcd_thereIsNoQuorum_andCallsFailInTime_andSayWhy() {
    List<WorldHost> hosts = voters((host, cluster) -> log.add("" + cluster.counter("c").add(1)));
    until(() -> log.size() == 3);
    Cell<Quorum> quorum = clusters.get("a").quorum();
    assertTrue(quorum.get().isThere(), quorum.get()::toString);
    etcd.powerOff();
    assertBetween(0, 5, timeUntil(() -> !quorum.get().isThere()));
    String why = quorum.get().why();
    assertEquals("/10.0.0.99:2379: no answer", why);
    assertTrue(hosts.getFirst().dump().contains("cannot agree, since "), hosts.getFirst()::dump);
    WorldHost a = hosts.getFirst();
    begin(a, "a", (host, cluster) -> note(() -> cluster.counter("c").get()));
    assertBetween(29, 31, timeUntil(() -> log.size() == 4));
    String said = log.getLast();
    assertTrue(
        said.startsWith("counter 'c': no answer within 30 s; this node cannot agree, since "),
        said);
    begin(a, "a", (host, cluster) -> note(() -> cluster.lease("l").acquireIfFree(TTL)));
    assertBetween(29, 31, timeUntil(() -> log.size() == 5));
    etcd.restart();
    assertBetween(0, 10, timeUntil(() -> quorum.get().isThere()));
    world.runFor(Duration.ofSeconds(1)); // what was given up is taken back
    begin(a, "a", (host, cluster) -> log.add("" + cluster.lease("l").acquireIfFree(TTL)));
    until(() -> log.size() == 6);
    assertTrue(log.getLast().contains("HELD"), log::toString);
  }

  /// The refused write is tried again now and then, and nothing is read again.
  @Test
  void withoutSpace_thereIsNoQuorum_untilThereIsSome() {
    var hasSpace = new AtomicBoolean(true);
    var reads = new AtomicInteger();
    WorldHost _ =
        world.host(
            "small", "10.0.0.98", FaultyEtcd.withSpaceWhile(hasSpace::get, reads::incrementAndGet));
    WorldHost a =
        world.host(
            "a",
            host -> {
              WaitForCluster cluster = WaitForCluster.on(host.scheduler(), withOther("a", host));
              cluster.join();
              clusters.put("a", cluster);
            });
    joined("a");
    Cell<Quorum> quorum = clusters.get("a").quorum();
    hasSpace.set(false);
    begin(a, "a", (host, cluster) -> log.add("" + cluster.counter("c").add(1)));
    assertBetween(0, 1, timeUntil(() -> !quorum.get().isThere()));
    assertTrue(quorum.get().why().endsWith("database space exceeded"), quorum.get()::why);
    reads.set(0);
    world.runFor(Duration.ofSeconds(20));
    assertEquals(0, reads.get());
    hasSpace.set(true);
    assertBetween(0, 3, timeUntil(() -> quorum.get().isThere()));
    until(() -> log.equals(List.of("1")));
  }

  /// Connecting and the first answer take 2.2 s, later answers half of that.
  @Test
  void aNodeWhoseFirstAnswerTakesLong_joins() {
    var _ = world.network().links().latency(Duration.ofMillis(550));
    WorldHost _ = node("a");
    joined("a");
  }

  private void note(Runnable code) {
    try {
      code.run();
    } catch (OutcomeUnknownException e) {
      log.add(e.getMessage());
    }
  }

  @Test
  void aNodeThatComesLate_hasEverything_alsoWhenItStartsAgain() {
    String large = "x".repeat(200_000);
    WorldHost a =
        node(
            "a",
            (host, cluster) -> {
              for (int i = 0; i < 12; i++) {
                cluster.register("r", Codec.utf8()).set(large + i);
              }
              log.add("written");
            });
    WorldHost b = node("b");
    until(() -> log.contains("written"));
    WorldHost c = node("c");
    joined("c");
    c.crash();
    clusters.remove("c");
    a.crash();
    c.restart();
    joined("c");
    begin(
        c,
        "c",
        (host, cluster) ->
            assertEquals(Optional.of(large + 11), cluster.register("r", Codec.utf8()).get()));
    begin(b, "b", (host, cluster) -> log.add("" + cluster.counter("c").add(1)));
    until(() -> log.contains("1"));
  }

  /// A node deletes the states before its own. That may come when another node has written one.
  @Test
  void aDeletionOfStatesThatComesLate_deletesNoLaterState() {
    WorldHost _ = world.host("late", "10.0.0.98", FaultyEtcd.whoseDeletionsComeLate());
    for (String name : NODES) {
      WorldHost _ =
          world.host(
              name,
              host -> {
                WaitForCluster cluster = WaitForCluster.on(host.scheduler(), withOther(name, host));
                cluster.join();
                ClusterRegister<String> register = cluster.register("r", Codec.utf8());
                for (int i = 0; i < 12; i++) {
                  register.set("x".repeat(200_000) + i);
                }
                log.add(name);
              });
      until(() -> log.contains(name));
    }
  }

  // The world.

  @Test
  void sameSeed_sameRun() {
    World.checkDeterminism(
        7,
        each -> {
          var _ =
              each.network()
                  .links()
                  .latency(
                      SimulatedLatency.exponential(Duration.ofMillis(1), Duration.ofMillis(9)));
          WorldHost _ = EtcdWorld.addTo(each);
          for (String name : NODES) {
            each.host(
                name,
                host -> {
                  WaitForCluster cluster = WaitForCluster.on(host.scheduler(), config(name, host));
                  cluster.join();
                  while (true) {
                    var _ = cluster.counter("c").add(host.random().nextInt(3));
                    host.application().sleep(Duration.ofMillis(host.random().nextInt(300)));
                  }
                });
          }
          each.runFor(Duration.ofSeconds(10));
        });
  }

  @Test
  void simulatedTls_isRefusedElsewhere() throws Exception {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    requireRefused(ClusterConfig.of("a").secured(ClusterTls.simulated()).at(address));
  }

  @Test
  void simulatedTls_ofEtcd_isRefusedElsewhere() throws Exception {
    var loopback = InetAddress.getLoopbackAddress();
    var etcd = EtcdServers.secured(ClusterTls.simulated(), new InetSocketAddress(loopback, 1));
    requireRefused(ClusterConfig.of("a").at(new InetSocketAddress(loopback, 0)).withEtcd(etcd));
  }

  private static void requireRefused(ClusterConfig config) throws Exception {
    var failure = new ArrayList<String>();
    try (Scheduler scheduler = Scheduler.create()) {
      scheduler.spawn(() -> {
        try {
          WaitForCluster.on(scheduler, config).join();
        } catch (ClusterException e) {
          failure.add(e.getMessage());
        }
      });
      scheduler.start();
    }
    assertEquals(
        List.of(
            "node 'a' cannot join cluster 'rondo': ClusterTls.simulated() is for the hosts of a"
                + " simulated world: see ClusterTls.of(..)"),
        failure);
  }
}
