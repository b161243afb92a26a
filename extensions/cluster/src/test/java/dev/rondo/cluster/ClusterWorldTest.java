package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Leases, jobs, keys and values under lost and late messages, partitions, pauses, crashes and
/// clocks of different rates, in virtual time.
///
/// `-Dcluster.seeds=10000` runs so many worlds, `-Dcluster.first=53` others.
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

  @Test
  void sameSeed_sameRun() {
    assertEquals(ClusterWorld.run(FIRST), ClusterWorld.run(FIRST));
  }
}
