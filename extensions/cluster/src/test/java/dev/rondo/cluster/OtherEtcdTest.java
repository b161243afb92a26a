package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.cluster.config.ClusterLimits.Time;
import dev.rondo.cluster.members.ClusterException;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Nodes of one cluster that name different etcds, or none. Both etcds were started alike, so that
/// etcd's own identity is the same.
final class OtherEtcdTest extends EtcdRig {

  private EtcdProcess other;

  @BeforeEach
  void startOther() throws Exception {
    other = new EtcdProcess(folder.resolve("other"));
    limits = limits.with(Time.JOIN, HANG);
  }

  @Override
  @AfterEach
  void end() throws Exception {
    try {
      super.end();
    } finally {
      if (other != null) {
        other.close();
      }
    }
  }

  private static long add(Node node) throws Exception {
    return node.call(() -> node.cluster.counter("c").add(1));
  }

  private static boolean isOfAnotherEtcd(String failure) {
    return failure.contains(" says that it agrees by etcd ");
  }

  private String nextFailure() throws InterruptedException {
    return requireNonNull(failures.poll(HANG.toSeconds(), TimeUnit.SECONDS)).getMessage();
  }

  /// The failure of `b`, and what `a` says that has met it.
  private void requireBothSaid(String failure) throws Exception {
    String by = "agrees by (etcd [0-9a-f]{16}/1/[-0-9a-f]{36}|nothing)";
    String member = "member '%s' of cluster 'rondo' says that it ";
    assertTrue(failure.matches("node 'b' " + by + ", but " + member.formatted("a") + by), failure);
    String met = nextFailure();
    assertTrue(met.matches("node 'a' " + by + ", but " + member.formatted("b") + by), met);
  }

  @Test
  void join_whereAMemberHasAnotherEtcd_fails_andBothSaySo() throws Exception {
    Node a = node(config("a", List.of()));
    a.join();
    for (int i = 0; i < 2; i++) {
      Node b = node(config("b", List.of(a.address())).withEtcd(other.servers()));
      requireBothSaid(assertThrows(ClusterException.class, b::join).getMessage());
      assertEquals(List.of("a"), names(a.members()));
    }
    Node c = node(config("c", List.of(a.address())));
    c.join();
    assertEquals(1, add(a));
    assertEquals(2, add(c));
  }

  @Test
  void join_whereAMemberAgreesByNothing_fails_andBothSaySo() throws Exception {
    Node a = founder("a");
    Node b = node(config("b", List.of(a.address())));
    requireBothSaid(assertThrows(ClusterException.class, b::join).getMessage());
    Node c = acquainted("c", a);
    c.join();
    assertEquals(List.of("a", "c"), names(c.members()));
  }

  /// Of a version of Rondo that agrees on something else, as in an upgrade node by node.
  @Test
  void join_whereEtcdHasALaterVersion_fails_andSaysSo() throws Exception {
    etcd.control("put", "rondo/rondo/i", "2/x");
    Node a = node(config("a", List.of()));
    assertEquals(
        "node 'a' speaks version 1 of what nodes agree on, but cluster 'rondo' has 2/x in its etcd",
        assertThrows(ClusterException.class, a::join).getMessage());
  }

  /// Both have founded the cluster before they find each other.
  @Test
  void clustersThatMeet_andHaveDifferentEtcds_stayApart_andSaySo() throws Exception {
    Node a = node(config("a", List.of()));
    a.join();
    assertEquals(1, add(a));
    var found = new CopyOnWriteArrayList<InetSocketAddress>();
    Node b = node(config("b", List.of()).with(() -> found).withEtcd(other.servers()));
    b.join();
    found.add(a.address());
    var said = new HashSet<>(List.of(nextFailure(), nextFailure()));
    Node c = node(config("c", List.of(a.address())));
    c.join();
    a.awaitMembers(members -> members.all().size() == 2 && members.find("c").isPresent());
    assertEquals(List.of("b"), names(b.members()));
    assertEquals(2, add(c));
    assertEquals(1, add(b));
    while (said.size()
        < 4) { // b and c have met, too; a node that loses sight of another says it again
      said.add(nextFailure());
    }
    assertTrue(said.stream().allMatch(OtherEtcdTest::isOfAnotherEtcd), said::toString);
    failures.removeIf(each -> isOfAnotherEtcd("" + each.getMessage()));
  }
}
