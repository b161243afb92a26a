package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.application.Chance;
import dev.rondo.exploration.Choices;
import dev.rondo.exploration.Exploration;
import dev.rondo.exploration.Explorer;
import dev.rondo.exploration.Strategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Programs that may be unlucky.
final class ChanceInWorldTest {

  private static final int TIMES = 40;

  private static List<Boolean> lots(long seed) {
    var lots = new ArrayList<Boolean>();
    try (World world = World.withSeed(seed)) {
      world.host(
          "host",
          host -> {
            for (int i = 0; i < TIMES; i++) {
              lots.add(Chance.rarely("slow disk"));
            }
          });
      world.runFor(Duration.ZERO);
    }
    return lots;
  }

  @Test
  void rarely_outsideOfAWorld_isFalse() throws Exception {
    for (int i = 0; i < TIMES; i++) {
      assertFalse(Chance.rarely("slow disk"));
    }
    Application.run(app -> {
      for (int i = 0; i < TIMES; i++) {
        assertFalse(Chance.rarely("slow disk"));
      }
    });
  }

  @Test
  void rarely_followsFromTheSeed_andHappensInSomeRuns() {
    var all = new HashSet<List<Boolean>>();
    int lucky = 0;
    for (long seed = 0; seed < TIMES; seed++) {
      List<Boolean> lots = lots(seed);
      assertEquals(lots, lots(seed));
      all.add(lots);
      lucky += lots.contains(true) ? 0 : 1;
    }
    assertTrue(all.size() > 5, all::toString);
    assertTrue(lucky > TIMES / 2 && lucky < TIMES, () -> all.toString());
  }

  @Test
  void failure_isFound_madeSimple_andNamesThePlace() {
    Exploration found =
        new Explorer(Strategy.uniform(1))
            .shrinking(Duration.ofDays(1), 1_000)
            .explore(ChanceInWorldTest::failsIfSlow);
    assertEquals(2, found.shrunk().orElseThrow().deviations(), found::toString);
    String message = String.valueOf(found.failure().orElseThrow().getMessage());
    assertTrue(
        message.contains("faults so far: 1:\n  at 0 s: 'slow disk' of host 'host'"), message);
  }

  private static void failsIfSlow(Choices choices) {
    try (World world = World.with(choices)) {
      world.host(
          "host",
          host -> {
            for (int i = 0; i < TIMES; i++) {
              if (Chance.rarely("slow disk")) {
                throw new IllegalStateException("too slow");
              }
            }
          });
      world.runFor(Duration.ZERO);
    }
  }
}
