package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterLimits.Time;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Leases, counters and registers of several nodes, by etcd.
final class EtcdConsensusTest extends EtcdRig {

  /// None ends by its time, however slow this machine is: what passes was given back.
  private static final Duration TTL = Duration.ofHours(1);

  private final List<Node> joined = new ArrayList<>();

  private Node join(String name) throws Exception {
    List<InetSocketAddress> members =
        joined.isEmpty() ? List.of() : List.of(joined.getFirst().address());
    Node node = node(config(name, members));
    node.join();
    joined.add(node);
    return node;
  }

  @Test
  void counter_ofThreeNodes_isOneNumber_andSurvivesARestartOfAll() throws Exception {
    Node a = join("a");
    assertEquals(1, a.call(() -> a.cluster.counter("c").add(1)));
    Node b = join("b");
    Node c = join("c");
    var sums = new ArrayList<Long>();
    for (int i = 0; i < 5; i++) {
      for (Node each : List.of(a, b, c)) {
        sums.add(each.call(() -> each.cluster.counter("c").add(1)));
      }
    }
    assertEquals(16, sums.getLast());
    assertEquals(15, sums.stream().distinct().count());
    for (Node each : List.of(b, a, c)) {
      each.leave();
    }
    joined.clear();
    for (Node each : List.of(a, b, c)) {
      each.close();
    }
    Node againA = join("a");
    Node againC = join("c");
    assertEquals(16, againA.call(() -> againA.cluster.counter("c").get()));
    assertEquals(17, againC.call(() -> againC.cluster.counter("c").add(1)));
  }

  @Test
  void lease_passesFromNodeToNode_andFromOneThatIsGone() throws Exception {
    limits = limits.with(Time.LEAVE, HANG);
    Node a = join("a");
    Node b = join("b");
    Node c = join("c");
    Lease ofB = b.call(() -> b.cluster.lease("nightly").acquire(TTL));
    long first = b.call(ofB::token);
    assertEquals(Optional.empty(), a.call(() -> a.cluster.lease("nightly").acquireIfFree(TTL)));
    CompletableFuture<Lease> ofA = a.begin(() -> a.cluster.lease("nightly").acquire(TTL));
    assertEquals(Optional.empty(), c.call(() -> c.cluster.lease("nightly").acquireIfFree(TTL)));
    b.run(ofB::close);
    Lease now = result(ofA);
    long second = a.call(now::token);
    assertTrue(second > first);

    CompletableFuture<Lease> ofC = c.begin(() -> c.cluster.lease("nightly").acquire(TTL));
    a.leave();
    assertThrows(LeaseLostException.class, () -> a.run(now::check));
    Lease last = result(ofC);
    assertTrue(c.call(last::token) > second);
    assertEquals(Optional.of("c"), b.call(() -> b.cluster.lease("nightly").holder().get()));
    c.run(last::close);
    b.await(() -> b.cluster.lease("nightly").holder().get().isEmpty());
  }

  /// The leader of the joined has it, so they have to agree while they change it.
  @Test
  void aNodeThatLeaves_orCloses_givesItsLeasesBack() throws Exception {
    limits = limits.with(Time.LEAVE, HANG);
    Node a = join("a");
    Node b = join("b");
    Node c = join("c");
    Lease ofA = a.call(() -> a.cluster.lease("l").acquire(TTL));
    CompletableFuture<Lease> ofB = b.begin(() -> b.cluster.lease("l").acquire(TTL));
    a.leave();
    assertThrows(LeaseLostException.class, () -> a.run(ofA::check));
    b.run(result(ofB)::check);
    CompletableFuture<Lease> ofC = c.begin(() -> c.cluster.lease("l").acquire(TTL));
    joined.removeFirst();
    a.close();
    Node again = join("a");
    b.close();
    c.run(result(ofC)::close);
    again.run(() -> again.cluster.counter("c").add(1));
  }

  /// More is written than the log keeps, so that it comes as a state.
  @Test
  void aNodeThatComesLate_hasEverything_alsoWhenItStartsAgain() throws Exception {
    Node a = join("a");
    Node b = join("b");
    String large = "x".repeat(200_000);
    for (int i = 0; i < 12; i++) {
      String value = large + i;
      a.run(() -> a.cluster.register("r", Codec.utf8()).set(value));
    }
    a.run(() -> a.cluster.counter("c").add(41));
    Node c = join("c");
    assertEquals(42, c.call(() -> c.cluster.counter("c").add(1)));
    c.close();
    joined.removeLast();
    Node again = join("c");
    assertEquals(43, again.call(() -> again.cluster.counter("c").add(1)));
    a.close();
    assertEquals(44, again.call(() -> again.cluster.counter("c").add(1)));
    assertEquals(
        Optional.of(large + 11), b.call(() -> b.cluster.register("r", Codec.utf8()).get()));
  }

  @Test
  void withoutEtcd_orNotJoined_isRefused() throws Exception {
    Node a = node(config("a", List.of()));
    var notJoined =
        assertThrows(IllegalStateException.class, () -> a.run(() -> a.cluster.counter("c").get()));
    assertEquals("node 'a' has not joined: see join()", notJoined.getMessage());
    Node voter = node(ClusterConfig.of("x").at(anyPort()));
    voter.join();
    var without =
        assertThrows(
            IllegalStateException.class, () -> voter.run(() -> voter.cluster.counter("c").get()));
    assertEquals(
        "cluster 'rondo' has nothing to agree by: see ClusterConfig.withEtcd(..)",
        without.getMessage());
  }

  @Test
  void leave_whileATaskWaits_failsIt() throws Exception {
    Node a = join("a");
    etcd.signal("STOP");
    CompletableFuture<Long> waits = a.begin(() -> a.cluster.counter("c").get());
    CompletableFuture<Lease> acquires = a.begin(() -> a.cluster.lease("l").acquire(TTL));
    a.leave();
    etcd.signal("CONT");
    assertInstanceOf(
        OutcomeUnknownException.class, assertThrows(Exception.class, () -> result(waits)));
    assertInstanceOf(
        OutcomeUnknownException.class, assertThrows(Exception.class, () -> result(acquires)));
    assertTrue(failures.remove().getMessage().contains("requests: [lease 'l']"));
  }
}
