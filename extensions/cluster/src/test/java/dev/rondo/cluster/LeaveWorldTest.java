package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterLimits;
import dev.rondo.cluster.config.ClusterLimits.Time;
import dev.rondo.cluster.config.ClusterTls;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import dev.rondo.time.TickPolicy;
import dev.rondo.time.WaitForTime;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Nodes that leave in order, in virtual time: what they had is another node's long before its time
/// is over, and not before their own code has ended.
final class LeaveWorldTest {

  /// Of all leases.
  private static final Duration TTL = Duration.ofSeconds(30);

  /// Stays.
  private static final String VOTER = "voter";

  private static final int PORT = 7800;

  /// That of the voter, which is the first host.
  private static final InetAddress FIRST_ADDRESS = InetAddress.ofLiteral("10.0.0.1");

  private static final Duration SOON = Duration.ofMillis(500);
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final World world = World.withSeed(1);
  private final Map<String, WaitForCluster> clusters = new HashMap<>();
  private final List<String> log = new ArrayList<>();

  @BeforeEach
  void addEtcd() {
    WorldHost _ = EtcdWorld.addTo(world);
    var _ = node(VOTER, (host, cluster) -> {});
  }

  @AfterEach
  void close() {
    world.close();
  }

  /// A node that has joined, and runs code as a task.
  private WorldHost node(String name, NodeCode code) {
    WorldHost host =
        world.host(
            name,
            own -> {
              ClusterConfig config =
                  ClusterConfig.of(name)
                      .secured(ClusterTls.simulated())
                      .at(new InetSocketAddress(own.address(), PORT))
                      .with(List.of(new InetSocketAddress(FIRST_ADDRESS, PORT)))
                      .withEtcd(EtcdWorld.servers())
                      .limited(ClusterLimits.USUAL.with(Time.LEASE, TTL));
              var cluster = WaitForCluster.on(own.scheduler(), config);
              cluster.join();
              clusters.put(name, cluster);
              code.run(own, cluster);
            });
    world.runUntil(() -> clusters.containsKey(name), LIMIT);
    return host;
  }

  private interface NodeCode {
    void run(WorldHost host, WaitForCluster cluster) throws Exception;
  }

  private static void sleep(WorldHost host, Duration duration) {
    WaitForTime.on(host.scheduler()).sleep(duration);
  }

  private void leave(WorldHost host) {
    host.scheduler()
        .spawn(
            "leaves",
            () -> {
              clusters.get(host.name()).leave();
              note(host.name() + " has left");
            });
  }

  private void note(String what) {
    log.add(what);
  }

  /// Runs until a line is there, and returns how long that takes.
  private Duration await(String line) {
    Duration begin = world.elapsed();
    world.runUntil(() -> log.contains(line), LIMIT);
    return world.elapsed().minus(begin);
  }

  private void assertSoon(String line) {
    Duration taken = await(line);
    assertTrue(taken.compareTo(SOON) < 0, () -> line + " after " + taken);
  }

  /// Holds a lease until it is lost, and cleans up.
  private void hold(WorldHost host, WaitForCluster cluster, TaskAction<?> cleansUp)
      throws Exception {
    try (Lease lease = cluster.lease("l").acquire(TTL)) {
      lease.run(() -> {
        note(host.name() + " holds");
        try {
          host.scheduler().suspend();
        } finally {
          host.scheduler()
              .shielded(() -> {
                cleansUp.run();
                note(host.name() + " has cleaned up");
              });
        }
      });
    } catch (LeaseLostException e) {
      note(e.getMessage());
    }
  }

  @Test
  void aLease_isGivenBack_whenItsCodeHasEnded() {
    WorldHost a =
        node("a", (host, cluster) -> hold(host, cluster, () -> sleep(host, Duration.ofSeconds(1))));
    var _ = await("a holds");
    var _ = node("b", (host, cluster) -> hold(host, cluster, () -> {}));
    leave(a);
    world.runFor(Duration.ofMillis(900));
    assertEquals(List.of("a holds"), log);
    var _ = await("b holds");
    assertEquals(
        List.of(
            "a holds",
            "a has cleaned up",
            "lease 'l' (token 1) is lost: this node leaves",
            "a has left",
            "b holds"),
        log);
    assertTrue(world.elapsed().compareTo(Duration.ofSeconds(3)) < 0, () -> "" + world.elapsed());
  }

  @Test
  void codeThatDoesNotEnd_keepsItsLeaseUntilItsTime_andIsReported() {
    WorldHost a =
        node("a", (host, cluster) -> hold(host, cluster, () -> sleep(host, Duration.ofSeconds(9))));
    a.tolerate(ClusterException.class::isInstance);
    var _ = await("a holds");
    var _ = node("b", (host, cluster) -> hold(host, cluster, () -> {}));
    leave(a);
    Duration taken = await("a has left");
    assertEquals(3, taken.toSeconds());
    assertEquals(
        List.of(
            "node 'a' leaves without having given back all leases, which end by their time; leases"
                + " whose code has not ended: [lease 'l']; requests: []; without an answer of the"
                + " cluster: 0"),
        a.toleratedFailures().stream().map(Throwable::getMessage).toList());
    Duration free = await("b holds");
    assertTrue(free.compareTo(TTL.dividedBy(2)) > 0, free::toString);
  }

  @Test
  void aRequest_isTakenBack() {
    WorldHost a = node("a", (host, cluster) -> hold(host, cluster, () -> {}));
    var _ = await("a holds");
    WorldHost b =
        node(
            "b",
            (host, cluster) -> {
              try {
                hold(host, cluster, () -> {});
              } catch (OutcomeUnknownException e) {
                note(e.getMessage());
              }
            });
    var _ = node("c", (host, cluster) -> hold(host, cluster, () -> {}));
    world.runFor(Duration.ofSeconds(1));
    leave(b);
    assertSoon("b has left");
    assertTrue(log.contains("this node has left while a task waited for lease 'l'"), log::toString);
    leave(a);
    assertSoon("c holds");
  }

  @Test
  void aJob_isAnotherNodes_andItsRunIsRepeated() {
    NodeCode job =
        (host, cluster) -> {
          var _ =
              cluster.periodic(
                  "j",
                  Duration.ofSeconds(1),
                  TickPolicy.SKIP,
                  run -> {
                    note(
                        "%s runs %d%s"
                            .formatted(
                                host.name(), run.number(), run.isRepeated() ? " again" : ""));
                    sleep(host, Duration.ofSeconds(run.isRepeated() ? 0 : 9));
                  });
        };
    WorldHost a = node("a", job);
    var _ = await("a runs 1");
    var _ = node("b", job);
    leave(a);
    assertSoon("b runs 1 again");
  }

  @Test
  void keys_areServedByTheOthers() {
    NodeCode spread =
        (host, cluster) -> {
          var _ =
              cluster.spread(
                  "s",
                  Set.of("k", "l", "m", "n"),
                  (key, lease) -> {
                    note(host.name() + " serves " + key);
                    host.scheduler().suspend();
                  });
        };
    WorldHost a = node("a", spread);
    for (String key : List.of("k", "l", "m", "n")) {
      var _ = await("a serves " + key);
    }
    var _ = node("b", spread);
    world.runFor(Duration.ofSeconds(1));
    leave(a);
    assertSoon("a has left");
    Duration begin = world.elapsed();
    for (String key : List.of("k", "l", "m", "n")) {
      var _ = await("b serves " + key);
    }
    assertTrue(world.elapsed().minus(begin).compareTo(Duration.ofSeconds(1)) < 0);
  }

  @Test
  void values_canBeUsed_whileCodeCleansUp_andNewLeasesCannot() {
    WorldHost a =
        node(
            "a",
            (host, cluster) ->
                hold(
                    host,
                    cluster,
                    () -> {
                      note("sum " + cluster.counter("c").add(1));
                      try {
                        var _ = cluster.lease("other").acquire(TTL);
                      } catch (IllegalStateException e) {
                        note(e.getMessage());
                      }
                    }));
    var _ = await("a holds");
    leave(a);
    assertSoon("a has left");
    assertEquals(List.of("sum 1", "node 'a' leaves: see join()"), log.subList(1, 3));
  }
}
