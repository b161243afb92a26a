package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Leases, counters and registers of several nodes, by JGroups and its Raft, over loopback.
final class ConsensusTest extends ClusterRig {

  /// None ends by its time, however slow this machine is: what passes was given back.
  private static final Duration TTL = Duration.ofHours(1);

  private static final List<String> VOTERS = List.of("a", "b", "c");

  @TempDir Path folder;
  private final List<Node> voters = new ArrayList<>();
  private ClusterLimits limits = ClusterLimits.USUAL;

  private ClusterConfig config(String name, List<InetSocketAddress> members) {
    return ClusterConfig.of(name)
        .at(anyPort())
        .with(members)
        .limited(limits)
        .withVoters(VOTERS, folder.resolve(name));
  }

  private Node join(String name) throws Exception {
    List<InetSocketAddress> members =
        voters.isEmpty() ? List.of() : List.of(voters.getFirst().address());
    Node node = node(config(name, members));
    node.join();
    voters.add(node);
    return node;
  }

  @Test
  void counter_ofThreeNodes_isOneNumber_andSurvivesARestartOfAll() throws Exception {
    Node a = join("a");
    CompletableFuture<Long> withoutMajority = a.begin(() -> a.cluster.counter("c").add(1));
    Node b = join("b");
    Node c = join("c");
    assertEquals(1, result(withoutMajority));
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
    voters.clear();
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
    limits = limits.withLeave(HANG);
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
    assertEquals(Optional.of("c"), b.call(() -> b.cluster.lease("nightly").holder()));
    c.run(last::close);
    b.await(() -> b.cluster.lease("nightly").holder().isEmpty());
  }

  /// The leader of the voters has it, so they have to agree while they change it.
  @Test
  void aNodeThatLeaves_orCloses_givesItsLeasesBack() throws Exception {
    limits = limits.withLeave(HANG);
    Node a = join("a");
    Node b = join("b");
    Node c = join("c");
    Lease ofA = a.call(() -> a.cluster.lease("l").acquire(TTL));
    CompletableFuture<Lease> ofB = b.begin(() -> b.cluster.lease("l").acquire(TTL));
    a.leave();
    assertThrows(LeaseLostException.class, () -> a.run(ofA::check));
    b.run(result(ofB)::check);
    CompletableFuture<Lease> ofC = c.begin(() -> c.cluster.lease("l").acquire(TTL));
    voters.removeFirst();
    a.close();
    Node again = join("a");
    b.close();
    c.run(result(ofC)::close);
    again.run(() -> again.cluster.counter("c").add(1));
  }

  @Test
  void aNodeThatIsNoVoter_usesTheValues() throws Exception {
    Node a = join("a");
    Node b = join("b");
    Node guest = join("guest");
    guest.run(() -> guest.cluster.register("r", Codec.utf8()).set("hello"));
    assertEquals(Optional.of("hello"), a.call(() -> a.cluster.register("r", Codec.utf8()).get()));
    Election election = guest.call(() -> guest.cluster.election("boss"));
    CompletableFuture<Integer> elected = b.begin(() -> b.cluster.election("boss").elected(() -> 7));
    assertEquals(7, result(elected));
    guest.await(() -> election.leader().get().isEmpty());
  }

  /// More is written than the log keeps, so that it comes as a snapshot.
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
    voters.removeLast();
    Node again = join("c");
    assertEquals(43, again.call(() -> again.cluster.counter("c").add(1)));
    a.close();
    assertEquals(44, again.call(() -> again.cluster.counter("c").add(1)));
    assertEquals(
        Optional.of(large + 11), b.call(() -> b.cluster.register("r", Codec.utf8()).get()));
  }

  @Test
  void withoutVoters_orNotJoined_isRefused() throws Exception {
    Node a = node(config("a", List.of()));
    var notJoined =
        assertThrows(IllegalStateException.class, () -> a.run(() -> a.cluster.counter("c").get()));
    assertEquals("node 'a' has not joined: see join()", notJoined.getMessage());
    Node x = founder("x");
    var noVoters =
        assertThrows(IllegalStateException.class, () -> x.run(() -> x.cluster.counter("c").get()));
    assertEquals(
        "cluster 'rondo' has no voters that could agree: see ClusterConfig.withVoters(..)",
        noVoters.getMessage());
  }

  @Test
  void join_withOtherVoters_fails() throws Exception {
    Node a = join("a");
    Node b =
        node(
            ClusterConfig.of("b")
                .at(anyPort())
                .with(List.of(a.address()))
                .withVoters(List.of("a", "b"), folder.resolve("b")));
    var failure = assertThrows(ClusterException.class, b::join);
    assertEquals(
        "node 'b' has the voters [a, b], but 'a' has others: all nodes must name the same",
        failure.getMessage());
  }

  @Test
  void join_withAFolderInUse_fails_andLeavesTheAddressFree() throws Exception {
    join("a");
    InetSocketAddress free;
    try (var socket = new ServerSocket(0, 1, anyPort().getAddress())) {
      free = (InetSocketAddress) socket.getLocalSocketAddress();
    }
    Node b = node(ClusterConfig.of("b").at(free).withVoters(VOTERS, folder.resolve("a")));
    for (int i = 0; i < 2; i++) {
      var failure = assertThrows(ClusterException.class, b::join);
      assertTrue(failure.getMessage().contains("is in use by another node"), failure::getMessage);
    }
  }

  @Test
  void leave_whileATaskWaits_failsIt() throws Exception {
    Node a = join("a");
    CompletableFuture<Long> waits = a.begin(() -> a.cluster.counter("c").get());
    CompletableFuture<Lease> acquires = a.begin(() -> a.cluster.lease("l").acquire(TTL));
    a.leave();
    assertInstanceOf(
        OutcomeUnknownException.class, assertThrows(Exception.class, () -> result(waits)));
    assertInstanceOf(
        OutcomeUnknownException.class, assertThrows(Exception.class, () -> result(acquires)));
    assertTrue(failures.remove().getMessage().contains("requests: [lease 'l']"));
  }

  @Test
  void voters_withoutAnAddress_orTwice_areRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> ClusterConfig.of("a").withVoters(VOTERS, folder));
    assertThrows(
        IllegalArgumentException.class,
        () -> ClusterConfig.of("a").at(anyPort()).withVoters(List.of("a", "a"), folder));
  }
}
