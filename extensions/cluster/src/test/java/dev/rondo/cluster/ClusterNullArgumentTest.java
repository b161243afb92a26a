package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterLimits;
import dev.rondo.cluster.config.ClusterTls;
import dev.rondo.cluster.config.EtcdServers;
import dev.rondo.cluster.members.Members;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.testing.Certificates;
import dev.rondo.scheduler.testing.NullArguments;
import java.net.InetSocketAddress;
import java.security.KeyStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// A null argument is refused by the call that receives it, by name.
final class ClusterNullArgumentTest {

  private final NullArguments arguments =
      new NullArguments(() -> Scheduler.builder().build())
          .sample(WaitForCluster.class, WaitForCluster::on)
          .sample(ClusterConfig.class, scheduler -> ClusterConfig.of("a"))
          .sample(ClusterLimits.class, scheduler -> ClusterLimits.USUAL)
          .sample(ClusterTls.class, scheduler -> SecurityTest.tls("a", "a"))
          .sample(EtcdServers.class, scheduler -> EtcdServers.local(ClusterRig.anyPort()))
          .sample(KeyStore.class, scheduler -> Certificates.keys("a"))
          .sample(InetSocketAddress.class, scheduler -> ClusterRig.anyPort())
          .sample(Codec.class, scheduler -> Codec.utf8())
          .sample(Members.class, scheduler -> WaitForCluster.on(scheduler).members().get())
          .sample(
              Mailbox.class, scheduler -> WaitForCluster.on(scheduler).mailbox("b", Codec.utf8()))
          .sample(
              RemoteMailbox.class,
              scheduler -> WaitForCluster.on(scheduler).to("here", "b", Codec.utf8()))
          .sample(
              ClusterSignal.class,
              scheduler -> WaitForCluster.on(scheduler).signal("s", Codec.utf8()))
          .sample(ClusterLease.class, scheduler -> WaitForCluster.on(scheduler).lease("l"))
          .sample(
              ClusterSpread.class,
              scheduler -> WaitForCluster.on(scheduler).spread("s", List.of(), (key, lease) -> {}))
          .sample(Lease.class, ClusterNullArgumentTest::lease)
          .sample(
              ClusterRegister.class,
              scheduler -> WaitForCluster.on(scheduler).register("r", Codec.utf8()))
          .sample(Optional.class, scheduler -> Optional.of("a"))
          .engineCalls(Codec.class);

  private static Lease lease(Scheduler scheduler) {
    LeaseDesk desk = Consensus.alone(scheduler, "n", new LeaseWatch(scheduler)).desk();
    return desk.hold("l", 1, TimeUnit.HOURS.toNanos(1), scheduler.host().nowNanos());
  }

  @Test
  void null_isRefusedByName() throws Exception {
    assertEquals(List.of(), arguments.notRefused(WaitForCluster.class));
  }
}
