package dev.rondo.cluster.internal.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.cluster.WaitForCluster;
import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterTls;
import dev.rondo.simulation.SimulatedProxy;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Where a member in a world looks for others: at the addresses of its configuration, and where
/// members were lately.
final class WorldContactsTest {

  private static final int PORT = 7800;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final World world = World.withSeed(1);
  private int joined;

  @AfterEach
  void close() {
    world.close();
  }

  /// A member that knows only the first, and has a free port.
  private WorldHost stranger(String name, WorldHost first) {
    return member(name, List.of(new InetSocketAddress(first.address(), PORT)), 0);
  }

  private WorldHost member(String name, List<InetSocketAddress> others, int port) {
    int before = joined;
    WorldHost added =
        world.host(
            name,
            host -> {
              WaitForCluster cluster =
                  WaitForCluster.on(
                      host.scheduler(),
                      ClusterConfig.of(name)
                          .secured(ClusterTls.simulated())
                          .at(new InetSocketAddress(host.address(), port))
                          .with(others));
              cluster.join();
              joined++;
            });
    world.runUntil(() -> joined > before, LIMIT);
    return added;
  }

  private Set<Integer> portsTriedAt(WorldHost of, WorldHost from) {
    var ports = new TreeSet<Integer>();
    world
        .network()
        .oneWay(from.simulated(), of.simulated())
        .proxy(packet -> {
          ports.add(packet.target().getPort());
          return SimulatedProxy.SEND;
        });
    world.runFor(SECOND.multipliedBy(3));
    return ports;
  }

  @Test
  void anAddress_isForgotten_whenItsMemberHasLeft() {
    WorldHost a = member("a", List.of(), PORT);
    WorldHost b = stranger("b", a);
    WorldHost c = stranger("c", a);
    for (int i = 0; i < 3; i++) {
      world.runFor(SECOND);
      b.terminate(Duration.ZERO, SECOND);
      world.runFor(SECOND.multipliedBy(2));
      b.restart();
      int before = joined;
      world.runUntil(() -> joined > before, LIMIT);
    }
    assertEquals(1, portsTriedAt(b, a).size());
    assertEquals(1, portsTriedAt(b, c).size());
  }

  @Test
  void theAddressesOfProcessesThatWereKilled_areAHundredAtMost() {
    WorldHost a = member("a", List.of(), PORT);
    WorldHost b = stranger("b", a);
    for (int i = 0; i < 110; i++) {
      b.crash();
      world.runFor(SECOND.multipliedBy(2));
      int before = joined;
      b.restart();
      world.runUntil(() -> joined > before, LIMIT);
    }
    int tried = portsTriedAt(b, a).size();
    assertTrue(tried > 90 && tried <= 101, () -> "" + tried);
  }

  @Test
  void partsThatKnowEachOtherFromOthersOnly_meetAgain() {
    WorldHost a = member("a", List.of(), PORT);
    WorldHost b = stranger("b", a);
    WorldHost c = stranger("c", a);
    world.runFor(SECOND);
    a.crash();
    world.network().links(List.of(b.simulated()), List.of(c.simulated())).cut();
    world.runFor(Duration.ofHours(1));
    world.network().links().heal();
    world.runFor(SECOND.multipliedBy(3));
    assertTrue(b.dump().contains("cluster.members=2"), b::dump);
  }
}
