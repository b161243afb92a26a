package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.simulation.World;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Leases, jobs, keys, values and messages of three or five nodes under lost and late packets, cuts
/// of all shapes, pauses, crashes, an etcd that is away, nodes that come and go, and clocks of
/// different rates, in virtual time.
///
/// `-Dcluster.seeds=10000` runs so many worlds, `-Dcluster.first=53` others. The optimizing
/// compiler runs them three times as fast: `-Drondo.test.jvm=-XX:+UseSerialGC`.
@Timeout(value = 30, unit = TimeUnit.MINUTES)
final class ClusterWorldTest {

  private static final long FIRST = Long.getLong("cluster.first", 1);
  private static final int SEEDS = Integer.getInteger("cluster.seeds", 2);

  @Test
  void oneHolderAtATime_answersAreLinearizable_andAllGoesOnInTheEnd() {
    int acts = 0;
    for (int i = 0; i < SEEDS; i++) {
      acts += ClusterWorld.run(FIRST + i);
    }
    assertTrue(acts > SEEDS, () -> "too little has happened");
  }

  /// [World#checkDeterminism] says where they differ, and needs a GB.
  @Test
  void sameSeed_sameRun() {
    assertEquals(digest(), digest());
  }

  private static long digest() {
    try (World world = World.withSeed(FIRST)) {
      int _ = ClusterWorld.run(world, Mistake.NONE);
      return world.digest();
    }
  }
}
