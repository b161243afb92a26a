package dev.rondo.benchmarks.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The programs of [WorldSpeed], in small.
final class WorldSpeedTest {

  @Test
  void gossip_twentyHosts_allKnowAllInAFewPeriodsAndTheSameEachTime() {
    Gossip.Run run = Gossip.run(20, 1);
    assertTrue(run.virtual().compareTo(Duration.ofMinutes(3)) < 0, run::toString);
    assertTrue(run.messages() > 20, run::toString);
    Gossip.Run again = Gossip.run(20, 1);
    assertEquals(run.virtual(), again.virtual());
    assertEquals(run.messages(), again.messages());
  }

  @Test
  void echoes_worldAndLoopback_allAreAnswered() {
    assertTrue(Echoes.world(8, 10) > 0);
    assertTrue(Echoes.loopback(8, 10) > 0);
  }

  @Test
  void idleCluster_tenHosts_eachIsHeardEachSecond() {
    IdleCluster.Run run = IdleCluster.run(10, Duration.ofSeconds(100));
    assertTrue(Math.abs(run.beats() - 1_000) <= 10, run::toString);
  }

  @Test
  void footprint_someConnections_takeSomeHeap() throws IOException {
    // So many that garbage of other tests, which is freed meanwhile, does not count.
    double bytes = ConnectionFootprint.bytes(5_000);
    assertTrue(bytes > 200 && bytes < 100_000, () -> "bytes=" + bytes);
  }

  @Test
  void plot_someRuns_isALineEach() {
    List<String> lines =
        WorldSpeed.plot(
            List.of(
                new Gossip.Run(10, Duration.ofSeconds(74), 74, 0.01, 0.5),
                new Gossip.Run(1_000, Duration.ofSeconds(163), 16_310, 0.13, 1)));
    assertEquals(
        List.of(
            "hosts  virtual s  messages  set-up s    cpu s",
            "   10         74        74      0.01    0.500 " + "#".repeat(25),
            "1,000        163    16,310      0.13    1.000 " + "#".repeat(50)),
        lines);
  }
}
