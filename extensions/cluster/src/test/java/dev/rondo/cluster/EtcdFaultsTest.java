package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterLimits;
import dev.rondo.cluster.config.ClusterLimits.Time;
import dev.rondo.cluster.config.ClusterTls;
import dev.rondo.cluster.config.EtcdServers;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.time.WaitForTime;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Two nodes and their etcd, which is killed, loses its data, or is out of reach of one of them.
final class EtcdFaultsTest extends EtcdRig {

  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofSeconds(1);

  /// Between `a` and etcd.
  private EtcdLink link;

  private Node a;
  private Node b;

  @BeforeEach
  void join() throws Exception {
    link = new EtcdLink(etcd.address());
    ClusterConfig here = ClusterConfig.of("a").at(anyPort()).limited(limits);
    a = node(here.withEtcd(link.servers()));
    a.join();
    b = node(config("b", List.of(a.address())));
    b.join();
  }

  @Override
  @AfterEach
  void end() throws Exception {
    try {
      if (link != null) {
        link.set(EtcdLink.State.WHOLE);
      }
      super.end();
    } finally {
      if (link != null) {
        link.close();
      }
    }
  }

  private static long add(Node node) throws Exception {
    return node.call(() -> node.cluster.counter("c").add(1));
  }

  private static void set(Node node, String value) throws Exception {
    node.run(() -> node.cluster.register("r", Codec.utf8()).set(value));
  }

  private static Optional<String> get(Node node) throws Exception {
    return node.call(() -> node.cluster.register("r", Codec.utf8()).get());
  }

  @Test
  void etcdThatIsKilled_andStartsAgain_hasEverything_andHoldersKeepTheirLeases() throws Exception {
    Lease lease = a.call(() -> a.cluster.lease("l").acquire(LONG));
    CompletableFuture<Lease> waits = b.begin(() -> b.cluster.lease("l").acquire(LONG));
    long token = a.call(lease::token);
    assertEquals(1, add(a));
    for (int i = 0; i < 3; i++) {
      etcd.kill();
      CompletableFuture<Long> meanwhile = b.begin(() -> b.cluster.counter("c").add(1));
      etcd.start();
      assertEquals(2 + 2 * i, result(meanwhile));
      assertEquals(3 + 2 * i, add(a));
    }
    assertEquals(token, a.call(lease::token));
    a.run(lease::close);
    assertTrue(b.call(result(waits)::token) > token);
  }

  /// By the clock of one machine: an instant at which the one still believed in it, and one at
  /// which the other had it.
  @Test
  void aHolderThatIsCutOff_losesItsLease_beforeAnotherHasIt() throws Exception {
    for (EtcdLink.State state : List.of(EtcdLink.State.SILENT, EtcdLink.State.WITHOUT_ANSWERS)) {
      String name = state.toString();
      CompletableFuture<Long> believed =
          a.begin(() -> {
            Lease lease = a.cluster.lease(name).acquire(SHORT);
            link.set(state);
            long last = System.nanoTime();
            try {
              while (true) {
                long now = System.nanoTime();
                lease.check();
                last = now;
                a.scheduler.yield();
              }
            } catch (LeaseLostException e) {
              return last;
            }
          });
      b.await(() -> b.cluster.lease(name).holder().get().isPresent());
      long taken =
          b.call(() -> {
            try (Lease _ = b.cluster.lease(name).acquire(SHORT)) {
              return System.nanoTime();
            }
          });
      assertTrue(taken - result(believed) > 0, "two nodes had the lease");
      link.set(EtcdLink.State.WHOLE);
      a.run(() -> a.cluster.lease(name).acquire(SHORT).close());
    }
  }

  /// A node that waits for the answer to something earlier writes nothing meanwhile.
  @Test
  void commandsWhoseAnswersAreLost_areAppliedOnce() throws Exception {
    int each = 20;
    int lost = 0;
    for (int round = 1; lost < 3; round++) {
      link.set(EtcdLink.State.WITHOUT_ANSWERS);
      var sums = new ArrayList<CompletableFuture<Long>>();
      for (int i = 0; i < each; i++) {
        sums.add(a.begin(() -> a.cluster.counter("c").add(1)));
      }
      long written = (long) (round - 1) * each;
      for (int i = 0; i < 100; i++) {
        if (b.call(() -> b.cluster.counter("c").get()) > written) {
          lost++;
          break;
        }
      }
      link.set(EtcdLink.State.WHOLE);
      for (CompletableFuture<Long> sum : sums) {
        assertTrue(result(sum) > written);
      }
      assertEquals((long) round * each, b.call(() -> b.cluster.counter("c").get()));
    }
  }

  /// So late that they are proposed again.
  @Test
  void commandsWhoseAnswersAreLate_areAppliedOnce() throws Exception {
    int each = 20;
    link.set(EtcdLink.State.LATE);
    var sums = new ArrayList<CompletableFuture<Long>>();
    for (int i = 0; i < each; i++) {
      sums.add(a.begin(() -> a.cluster.counter("c").add(1)));
    }
    a.run(() -> WaitForTime.on(a.scheduler).sleep(Duration.ofMillis(1_200)));
    link.set(EtcdLink.State.WHOLE);
    for (CompletableFuture<Long> sum : sums) {
      assertTrue(result(sum) <= each);
    }
    for (int i = 0; i < each; i++) {
      assertEquals(each + i + 1, add(a)); // what was proposed again comes meanwhile
    }
  }

  /// A node that waits for the answer to something earlier writes nothing: then there is another
  /// round.
  @Test
  void aCommandWhoseAnswerIsLost_beforeItsNodeLeaves_isOfUnknownOutcome() throws Exception {
    for (int round = 0; ; round++) {
      String name = "c" + round;
      link.set(EtcdLink.State.WITHOUT_ANSWERS);
      CompletableFuture<Long> sum = a.begin(() -> a.cluster.counter(name).add(1));
      long seen = 0;
      for (int i = 0; i < 100 && seen == 0; i++) {
        seen = b.call(() -> b.cluster.counter(name).get());
      }
      if (seen == 1) {
        a.leave();
        assertThrows(OutcomeUnknownException.class, () -> result(sum));
        assertEquals(1, b.call(() -> b.cluster.counter(name).get()));
        return;
      }
      link.set(EtcdLink.State.WHOLE);
      assertEquals(1, result(sum));
    }
  }

  /// The entries that the one misses are deleted, and the revisions of its watch are compacted.
  @Test
  void aNodeThatMissesEntries_readsTheState() throws Exception {
    assertEquals(1, add(a));
    link.set(EtcdLink.State.SILENT);
    String large = "x".repeat(300_000);
    for (int i = 0; i < 12; i++) {
      set(b, large + i);
    }
    assertEquals(2, add(b));
    etcd.compact();
    link.set(EtcdLink.State.WHOLE);
    assertEquals(3, add(a));
    assertEquals(Optional.of(large + 11), get(a));
    etcd.compact();
    assertEquals(4, add(b));
    assertEquals(5, add(a));
  }

  @Test
  void dataThatIsDeleted_isMissed() throws Exception {
    assertEquals(1, add(a));
    assertEquals(2, add(b));
    etcd.control("del", "--prefix", "rondo/");
    for (Node each : List.of(a, b)) {
      each.await(() -> each.cluster.members().get().self().id().isEmpty());
    }
    for (String each : List.of("a", "b")) {
      assertTrue(
          failures.removeIf(failure ->
              failure
                  .getMessage()
                  .equals(
                      "node '%s' has left: the etcd of cluster 'rondo' has lost entries, so"
                              .formatted(each)
                          + " agreements may be lost")),
          failures::toString);
    }
  }

  @Test
  void aValueThatIsTooLarge_isRefused() throws Exception {
    var failure = assertThrows(IllegalArgumentException.class, () -> set(a, "x".repeat(1 << 20)));
    assertTrue(failure.getMessage().startsWith("register 'r': its values have some 10"));
    set(a, "x".repeat(1_000_000));
    assertEquals(1_000_000, get(b).orElseThrow().length());
  }

  // Joining.

  /// Begins to join in vain. Several attempts at the same time take no longer than one.
  private CompletableFuture<?> joining(EtcdServers servers) throws Exception {
    ClusterLimits soon = ClusterLimits.USUAL.with(Time.JOIN, Duration.ofSeconds(2));
    Node c = node(ClusterConfig.of("c").at(anyPort()).limited(soon).withEtcd(servers));
    return c.begin(() -> {
      c.cluster.join();
      return true;
    });
  }

  private static void requireReason(String reason, CompletableFuture<?> joining) {
    var failure = assertThrows(ClusterException.class, () -> result(joining));
    String message = failure.getMessage();
    assertTrue(
        message.startsWith("node 'c' cannot join cluster 'rondo': after 2 s there is no etcd at ["),
        message);
    assertTrue(message.contains(reason), message);
  }

  @Test
  void join_whereNothingListens_orAnswers_fails_andSaysWhy() throws Exception {
    try (var socket = new ServerSocket(0, 1, anyPort().getAddress())) {
      var silent = (InetSocketAddress) socket.getLocalSocketAddress();
      InetSocketAddress nobody;
      try (var closed = new ServerSocket(0, 1, anyPort().getAddress())) {
        nobody = (InetSocketAddress) closed.getLocalSocketAddress();
      }
      var unknown = InetSocketAddress.createUnresolved("localhost", nobody.getPort());
      CompletableFuture<?> unanswered = joining(EtcdServers.local(silent));
      CompletableFuture<?> refused = joining(EtcdServers.local(nobody));
      CompletableFuture<?> unresolved = joining(EtcdServers.local(unknown));
      requireReason("no answer", unanswered);
      requireReason("UNAVAILABLE", refused);
      requireReason("UNAVAILABLE", unresolved);
    }
  }

  /// The first address is that of no server.
  @Test
  void join_triesTheNextAddress() throws Exception {
    InetSocketAddress nobody;
    try (var socket = new ServerSocket(0, 1, anyPort().getAddress())) {
      nobody = (InetSocketAddress) socket.getLocalSocketAddress();
    }
    Node c =
        node(
            ClusterConfig.of("c")
                .at(anyPort())
                .with(List.of(a.address()))
                .withEtcd(EtcdServers.local(nobody, etcd.address())));
    c.join();
    assertEquals(1, add(c));
    assertEquals(2, add(a));
  }

  @Test
  void aUser_isAuthenticated() throws Exception {
    assertEquals(1, add(a));
    etcd.control("user", "add", "root:secret");
    etcd.control("user", "grant-role", "root", "root");
    etcd.control("auth", "enable");
    try {
      CompletableFuture<?> nameless = joining(etcd.servers());
      CompletableFuture<?> wrong = joining(etcd.servers().as("root", "no"));
      requireReason("user name is empty", nameless);
      requireReason("invalid user ID or password", wrong);
      Node c =
          node(
              ClusterConfig.of("c")
                  .at(anyPort())
                  .with(List.of(a.address()))
                  .withEtcd(etcd.servers().as("root", "secret")));
      c.join();
      assertEquals(2, add(c));
    } finally {
      etcd.control("--user=root:secret", "auth", "disable");
    }
    assertEquals(3, add(a));
    assertInstanceOf(Long.class, add(b));
  }

  @Test
  void servers_withTls_areTrustedIfTheyAreKnown_andDemandACertificate() throws Exception {
    Path place = Files.createDirectory(folder.resolve("secured"));
    try (EtcdProcess secured = EtcdProcess.secured(place, "etcd", "c")) {
      InetSocketAddress at = secured.address();
      ClusterTls right = SecurityTest.tls("c", "etcd");
      Node c = node(ClusterConfig.of("c").at(anyPort()).withEtcd(EtcdServers.secured(right, at)));
      c.join();
      assertEquals(1, add(c));
      c.close();
      CompletableFuture<?> plain = joining(EtcdServers.local(at));
      ClusterTls stranger = SecurityTest.tls("stranger", "etcd");
      CompletableFuture<?> unknown = joining(EtcdServers.secured(stranger, at));
      ClusterTls trusting = SecurityTest.tls("c", "stranger");
      CompletableFuture<?> distrusted = joining(EtcdServers.secured(trusting, at));
      for (CompletableFuture<?> each : List.of(plain, unknown, distrusted)) {
        requireReason("UNAVAILABLE", each);
      }
    }
  }
}
