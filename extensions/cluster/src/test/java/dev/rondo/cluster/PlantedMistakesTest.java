package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.fail;

import dev.rondo.scheduler.testing.Nightly;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The checks of [ClusterWorld] find each [Mistake], by one of the first seeds.
@Nightly("worlds with a mistake each")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
final class PlantedMistakesTest {

  private static final int SEEDS = Integer.getInteger("cluster.mistakeSeeds", 100);

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aMistake_isFound_byOneOfTheSeeds(Mistake mistake) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try {
        int _ = ClusterWorld.run(seed, mistake);
      } catch (AssertionError | RuntimeException e) {
        String said =
            String.valueOf(e.getMessage()).lines().limit(3).collect(Collectors.joining(" "));
        System.out.println("| " + mistake + " | " + seed + " | " + said + " |");
        return;
      }
    }
    fail(mistake + " is not found by " + SEEDS + " seeds");
  }
}
