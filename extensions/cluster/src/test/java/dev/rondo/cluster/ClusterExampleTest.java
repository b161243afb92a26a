package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.EtcdServers;
import dev.rondo.condition.WaitForCondition;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.time.Recurrence;
import dev.rondo.time.TickPolicy;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The programs of docs/modules/cluster.md.
final class ClusterExampleTest {

  private static ClusterConfig alone(Path folder) {
    return ClusterConfig.of("a").keptIn(folder);
  }

  private static ClusterConfig oneOfSeveral(
      String name, InetSocketAddress here, List<InetSocketAddress> others, EtcdServers etcd) {
    return ClusterConfig.of(name).at(here).with(others).withEtcd(etcd);
  }

  @Test
  void agreement_isByEtcd_orInAFolder() {
    var etcd = EtcdServers.local(InetSocketAddress.createUnresolved("localhost", 2379));
    assertEquals(etcd, oneOfSeveral("a", ClusterRig.anyPort(), List.of(), etcd).etcd());
    assertEquals(Path.of("a"), alone(Path.of("a")).folder());
  }

  private long reported;
  private final Set<String> served = new HashSet<>();

  private void report(long token) {
    reported = token;
  }

  private void reportNightly(WaitForCluster cluster) {
    try (Lease lease = cluster.lease("nightly").acquire(Duration.ofSeconds(5))) {
      lease.run(() -> report(lease.token()));
    }
  }

  private void runJobs(WaitForCluster cluster) {
    cluster.periodic(
        "heartbeat", Duration.ofMinutes(1), TickPolicy.SKIP, run -> report(run.lease().token()));
    cluster.recurring(
        "nightly", Recurrence.cron("0 3 * * *", ZoneOffset.UTC), run -> report(run.number()));
  }

  @Test
  void jobs_areTasks() {
    try (Scheduler scheduler = Scheduler.create()) {
      scheduler.spawn(() -> {
        runJobs(WaitForCluster.on(scheduler));
        scheduler.yield();
        assertEquals(
            List.of("job 'heartbeat'", "job 'nightly'"),
            scheduler.tasks().stream()
                .map(TaskInfo::name)
                .filter(name -> name.startsWith("job"))
                .toList());
        scheduler.stop();
      });
      scheduler.start();
    }
  }

  @Test
  void aLease_isHeldWhileCodeRuns() {
    try (Scheduler scheduler = Scheduler.create()) {
      scheduler.spawn(() -> reportNightly(WaitForCluster.on(scheduler)));
      scheduler.start();
    }
    assertEquals(1, reported);
  }

  private void serve(String shard, Lease lease) {
    report(lease.token());
    served.add(shard);
  }

  private void spread(WaitForCluster cluster) {
    cluster.spread("shards", List.of("europe", "asia"), (shard, lease) -> serve(shard, lease));
  }

  @Test
  void keys_areServed() {
    try (Scheduler scheduler = Scheduler.create()) {
      scheduler.spawn(() -> spread(WaitForCluster.on(scheduler)));
      scheduler.spawn(() -> {
        WaitForCondition.on(scheduler).waitFor(() -> served.size() == 2);
        scheduler.stop();
      });
      scheduler.start();
    }
    assertEquals(Set.of("europe", "asia"), served);
  }
}
