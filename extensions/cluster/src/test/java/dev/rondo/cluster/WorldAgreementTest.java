package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterTls;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.simulation.SimulatedHost;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The voters of a world agree while most of them are connected, and on nothing else: when links
/// are cut one after the other, and hosts come back while the others have not missed them.
final class WorldAgreementTest {

  private static final int PORT = 7800;
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final Duration TTL = Duration.ofSeconds(5);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final World world = World.withSeed(1);
  private final Map<String, WorldHost> hosts = new LinkedHashMap<>();
  private final Map<String, WaitForCluster> clusters = new LinkedHashMap<>();

  @AfterEach
  void close() {
    world.close();
  }

  /// Voters that see each other, the one that has been there longest first. It leads.
  private void voters(String... names) {
    List<InetSocketAddress> addresses =
        IntStream.rangeClosed(1, names.length)
            .mapToObj(i -> new InetSocketAddress(InetAddress.ofLiteral("10.0.0." + i), PORT))
            .toList();
    for (String name : names) {
      WorldHost added =
          world.host(
              name,
              host -> {
                ClusterConfig config =
                    ClusterConfig.of(name)
                        .secured(ClusterTls.simulated())
                        .at(new InetSocketAddress(host.address(), PORT))
                        .with(addresses)
                        .withVoters(List.of(names));
                WaitForCluster cluster = WaitForCluster.on(host.scheduler(), config);
                join(cluster);
                clusters.put(name, cluster);
              });
      hosts.put(name, added);
      until(() -> clusters.containsKey(name));
    }
    until(() ->
        clusters.values().stream().allMatch(each -> each.members().get().size() == names.length));
    assertSum(names[0], 1);
  }

  /// For a host that starts again the name may be taken for longer than joining waits.
  private static void join(WaitForCluster cluster) {
    while (!cluster.isJoined()) {
      try {
        cluster.join();
      } catch (ClusterException e) {
        // The others see its last stay still.
      }
    }
  }

  private interface Code {
    void run(WaitForCluster cluster) throws Exception;
  }

  /// Runs code as a task of a node.
  private void begin(String node, Code code) {
    var _ = host(node).scheduler().spawn("test", () -> code.run(clusters.get(node)));
  }

  private WorldHost host(String node) {
    return hosts.get(node);
  }

  /// Counts on a node, and returns how long that takes.
  private Duration count(String node, List<Long> sums) {
    Duration begin = world.elapsed();
    int before = sums.size();
    begin(node, cluster -> sums.add(cluster.counter("c").add(1)));
    until(() -> sums.size() > before);
    return world.elapsed().minus(begin);
  }

  private void assertSum(String node, long expected) {
    var sums = new ArrayList<Long>();
    var _ = count(node, sums);
    assertEquals(List.of(expected), sums);
  }

  private void until(BooleanSupplier condition) {
    world.runUntil(condition, LIMIT);
  }

  private void cut(String node, String... others) {
    List<SimulatedHost> cutOff = Stream.of(others).map(each -> host(each).simulated()).toList();
    var _ = world.network().links(List.of(host(node).simulated()), cutOff).cut();
  }

  private int size(String node) {
    return clusters.get(node).members().get().size();
  }

  @Test
  void aVoterThatComesBackWhileItsNameIsTaken_isAskedAgain() {
    voters("a", "b", "c");
    host("c").powerOff();
    until(() -> size("a") == 2);
    host("b").crash();
    host("b").restart();
    world.runFor(Duration.ofMillis(300));
    assertSum("a", 2);
  }

  @Test
  void aMinority_doesNotLead_alsoWhenItSeesTheOthersStill() {
    voters("a", "c", "b");
    cut("c", "a");
    world.runFor(Duration.ofMillis(600));
    cut("c", "b");
    begin(
        "a",
        cluster -> {
          Lease _ = cluster.election("e").elected(() -> cluster.lease("l").acquire(TTL));
        });
    var leaders = new ArrayList<Optional<String>>();
    Code watch = cluster -> leaders.add(cluster.election("e").leader().get());
    var sums = new ArrayList<Long>();
    for (Duration end = world.elapsed().plusSeconds(10); world.elapsed().compareTo(end) < 0; ) {
      Duration taken = count("a", sums);
      assertTrue(taken.compareTo(Duration.ofMillis(100)) < 0, () -> "took " + taken);
      world.runFor(Duration.ofMillis(50));
    }
    begin("c", watch);
    until(() -> !leaders.isEmpty());
    assertEquals(List.of(Optional.empty()), leaders);
    assertEquals(1, size("c"));
  }

  @Test
  void clustersOfOneHostEach_haveNothingInCommon() {
    for (String name : List.of("one", "two")) {
      WorldHost added =
          world.host(
              name,
              host -> {
                ClusterConfig config =
                    ClusterConfig.of("node")
                        .at(new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT))
                        .withVoters(List.of("node"));
                WaitForCluster cluster = WaitForCluster.on(host.scheduler(), config);
                cluster.join();
                clusters.put(name, cluster);
              });
      hosts.put(name, added);
    }
    until(() -> clusters.size() == 2);
    assertSum("one", 1);
    assertSum("two", 1);
  }

  @Test
  void aVoterThatCannotLead_doesNotHinderThoseBehindIt() {
    voters("o", "b", "c", "d", "e");
    cut("o", "c", "d", "e");
    until(() -> size("o") == 2);
    world.runFor(SECOND);
    assertSum("e", 2);
  }

  @Test
  void aLeaderThatOthersHaveTakenForGone_givesWay() {
    voters("a", "b", "c", "d", "e");
    cut("a", "d", "e");
    until(() -> size("a") == 3);
    world.runFor(SECOND);
    assertSum("a", 2);
    var _ = world.network().heal();
    until(() -> size("a") == 5);
    host("c").powerOff();
    assertSum("a", 3);
    assertSum("e", 4);
  }

  @Test
  void aLeaderThatCloses_givesItsLeaseBack_andTheNextLeaderHasIt() {
    voters("a", "b", "c");
    var leases = new ArrayList<Lease>();
    begin("a", cluster -> leases.add(cluster.lease("l").acquire(TTL)));
    until(() -> leases.size() == 1);
    begin("b", cluster -> leases.add(cluster.lease("l").acquire(TTL)));
    begin("c", cluster -> cluster.counter("other").add(1));
    world.runFor(SECOND);
    Duration begin = world.elapsed();
    host("a").terminate(SECOND);
    until(() -> leases.size() == 2);
    Duration taken = world.elapsed().minus(begin);
    assertTrue(taken.compareTo(SECOND) < 0, taken::toString);
  }

  /// As in a log of Raft, where the entry of a later leader replaces it.
  @Test
  void aCommandOfAnEarlierLeader_doesNotComeBackBehindThoseOfALaterOne() {
    voters("a", "b", "c", "d", "e");
    cut("a", "c", "d", "e");
    begin("a", cluster -> cluster.counter("c").add(1_000));
    world.runFor(Duration.ofMillis(20)); // b has confirmed it
    cut("b", "c", "d", "e");
    host("a").crash();
    world.runFor(Duration.ofSeconds(30));
    for (int sum = 2; sum <= 4; sum++) {
      assertSum("c", sum);
    }
    var _ = world.network().heal();
    until(() -> size("b") == 4);
    world.runFor(Duration.ofSeconds(10));
    host("c").crash();
    world.runFor(Duration.ofSeconds(20)); // b leads
    assertSum("d", 5);
  }

  /// Each link is cut or not, by chance, and now and then a host starts again.
  @Test
  void anyCuts_noSumIsCountedTwice_andAllGoesOnInTheEnd() {
    String[] names = {"a", "b", "c", "d", "e"};
    voters(names);
    var sums = new ArrayList<Long>();
    for (int round = 0; round < 10; round++) {
      var _ = world.network().heal();
      for (String one : names) {
        for (String other : names) {
          if (one.compareTo(other) < 0 && world.random().nextInt(3) == 0) {
            cut(one, other);
          }
        }
        begin(one, cluster -> sums.add(cluster.counter("c").add(1)));
      }
      String unlucky = names[world.random().nextInt(names.length)];
      if (world.random().nextInt(4) == 0) {
        clusters.remove(unlucky);
        host(unlucky).crash();
        host(unlucky).restart();
      }
      world.runFor(Duration.ofMillis(world.random().nextInt(20_000)));
      var _ = world.network().heal();
      until(() -> clusters.size() == names.length);
      for (String each : names) {
        var _ = count(each, sums);
      }
    }
    assertEquals(sums.size(), Set.copyOf(sums).size(), sums::toString);
  }
}
