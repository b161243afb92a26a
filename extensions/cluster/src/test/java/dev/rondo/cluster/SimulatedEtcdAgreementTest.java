package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterLimits;
import dev.rondo.cluster.config.ClusterLimits.Time;
import dev.rondo.cluster.config.ClusterTls;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// Nodes of a world agree by its etcd.
final class SimulatedEtcdAgreementTest implements AgreementContract {

  private static final List<String> NAMES = List.of("a", "b", "c");

  private static InetSocketAddress address(int index) {
    return new InetSocketAddress(InetAddress.ofLiteral("10.0.0." + (1 + index)), 7800);
  }

  @Override
  public void inAllParts(Code code) {
    var ended = new AtomicInteger();
    try (World world = World.withSeed(1)) {
      WorldHost _ = EtcdWorld.addTo(world);
      for (int i = 0; i < PARTS; i++) {
        int index = i;
        WorldHost _ =
            world.host(
                NAMES.get(i),
                host -> {
                  Part part = part(index, host);
                  part.run(code);
                  int _ = ended.incrementAndGet();
                });
      }
      world.runUntil(() -> ended.get() == PARTS, HANG.multipliedBy(2));
    }
    assertEquals(PARTS, ended.get());
  }

  private static Part part(int index, WorldHost host) throws ClusterException {
    ClusterConfig config =
        ClusterConfig.of(NAMES.get(index))
            .secured(ClusterTls.simulated())
            .at(address(index))
            .with(IntStream.range(0, PARTS).mapToObj(SimulatedEtcdAgreementTest::address).toList())
            .withEtcd(EtcdWorld.servers())
            .limited(ClusterLimits.USUAL.with(Time.LEASE, TTL));
    WaitForCluster cluster = WaitForCluster.on(host.scheduler(), config);
    cluster.join();
    return new Part(index, true, host.scheduler(), cluster);
  }
}
