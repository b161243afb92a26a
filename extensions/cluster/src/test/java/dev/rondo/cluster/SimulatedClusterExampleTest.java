package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterTls;
import dev.rondo.cluster.config.EtcdServers;
import dev.rondo.cluster.simulation.SimulatedEtcd;
import dev.rondo.simulation.Chaos;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// The program of docs/modules/simulation.md: writers with a lease, and a ledger on another node.
final class SimulatedClusterExampleTest {

  private static final int SEEDS = 5;

  private static final InetSocketAddress ETCD =
      new InetSocketAddress(InetAddress.ofLiteral("10.0.0.9"), SimulatedEtcd.PORT);

  private static void write(Application app, ClusterConfig config) throws IOException {
    WaitForCluster cluster = WaitForCluster.on(app.scheduler(), config);
    cluster.join();
    RemoteMailbox<String> ledger = cluster.to("ledger", "entries", Codec.utf8());
    while (true) {
      try (Lease lease = cluster.lease("writer").acquire(Duration.ofSeconds(2))) {
        lease.run(() -> {
          while (true) {
            var _ = ledger.send("" + lease.token());
            app.sleep(Duration.ofMillis(200));
          }
        });
      } catch (LeaseLostException e) {
        // another node writes now
      }
    }
  }

  private static void keep(
      Application app, ClusterConfig config, boolean checks, List<Long> entries)
      throws IOException {
    WaitForCluster cluster = WaitForCluster.on(app.scheduler(), config);
    try (Mailbox<String> mailbox = cluster.mailbox("entries", Codec.utf8())) {
      cluster.join();
      while (true) {
        long token = Long.parseLong(mailbox.receive());
        if (!checks || entries.isEmpty() || token >= entries.getLast()) {
          entries.add(token);
        }
      }
    }
  }

  private static ClusterConfig config(WorldHost host) {
    InetAddress first = InetAddress.ofLiteral("10.0.0.1");
    return ClusterConfig.of(host.name())
        .secured(ClusterTls.simulated())
        .at(new InetSocketAddress(host.address(), 7800))
        .with(List.of(new InetSocketAddress(first, 7800)))
        .withEtcd(EtcdServers.secured(ClusterTls.simulated(), ETCD));
  }

  private static List<Long> run(long seed, boolean checks) {
    var entries = new ArrayList<Long>();
    try (World world = World.withSeed(seed)) {
      world.host("etcd", ETCD.getHostString(), SimulatedEtcd::run);
      world.host("ledger", host -> keep(host.application(), config(host), checks, entries));
      List<WorldHost> writers =
          world.hosts("writer", 2, host -> write(host.application(), config(host)));
      world.chaos(
          Chaos.partitions()
              .and(Chaos.crashes())
              .every(Duration.ofSeconds(15))
              .lasting(Duration.ofSeconds(5))
              .on(writers)
              .atMostDown(1));
      world.runFor(Duration.ofMinutes(2));
    }
    return entries;
  }

  @Test
  void aLedgerThatChecksTokens_isInOrder() {
    for (long seed = 0; seed < SEEDS; seed++) {
      List<Long> entries = run(seed, true);
      assertTrue(isInOrder(entries), "seed " + seed + ": " + entries);
      assertTrue(entries.getLast() > 1, "no other node has written");
    }
  }

  /// The planted mistake.
  @Test
  void aLedgerThatChecksNothing_isOutOfOrder_withSomeSeed() {
    assertTrue(
        LongStream.range(0, SEEDS).anyMatch(seed -> !isInOrder(run(seed, false))),
        "no seed has found the mistake");
  }

  private static boolean isInOrder(List<Long> entries) {
    return entries.equals(entries.stream().sorted().toList());
  }
}
