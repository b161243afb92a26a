package dev.rondo.examples.durablestore;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.exploration.Choices;
import dev.rondo.simulation.Chaos;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The store when its power fails and its process is killed, also between two lines of it: no world
/// may fail, and worlds with a known mistake must.
///
/// `-Drondo.store.seeds=10000` runs so many, and `-Drondo.store.flaws` prints a table of mistakes
/// that docs/modules/simulation.md counts.
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class DurableStoreWorldTest {

  private static final int SEEDS = Integer.getInteger("rondo.store.seeds", 5);
  private static final int SEEDS_OF_A_FLAW = 100;
  private static final int SEEDS_OF_A_ROW = 1_000;

  /// At some instants.
  private static final Chaos FAULTS =
      Chaos.powerFailures()
          .and(Chaos.crashes())
          .every(Duration.ofSeconds(20))
          .lasting(Duration.ofSeconds(3));

  @Test
  void answers_faultsAmidWork_areLinearizable() {
    int operations = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      operations += DurableStoreWorld.run(Choices.random(seed), StoreFlaw.NONE, FAULTS.amidWork());
    }
    assertTrue(operations > 50 * SEEDS, operations + " operations");
  }

  @ParameterizedTest
  @EnumSource(names = {"ANSWERS_BEFORE_FORCE", "NO_CHECKSUM", "TORN_END_KEPT"})
  void flaw_faultsAmidWork_isFoundByTheHistory(StoreFlaw flaw) {
    AssertionError failure = find(flaw, FAULTS.amidWork(), SEEDS_OF_A_FLAW).failure();
    assertNotNull(failure, () -> flaw + " is not found");
    assertTrue(
        failure
            .getMessage()
            .matches("(?s)world: the history of 'k\\d' is not linearizable: .* get k.*"),
        failure::getMessage);
  }

  /// A row of the table.
  @ParameterizedTest
  @EnumSource
  @EnabledIfSystemProperty(named = "rondo.store.flaws", matches = ".*")
  void row(StoreFlaw flaw) {
    Found atInstants = find(flaw, FAULTS, SEEDS_OF_A_ROW);
    Found amidWork = find(flaw, FAULTS.amidWork(), SEEDS_OF_A_ROW);
    IO.println("| %s | %s | %s |".formatted(flaw, atInstants, amidWork));
  }

  /// @param seeds how many were tried; the last one fails
  /// @param failure null if none fails
  private record Found(long seeds, @Nullable AssertionError failure) {
    @Override
    public String toString() {
      return failure == null ? "more than " + seeds : "" + seeds;
    }
  }

  private static Found find(StoreFlaw flaw, Chaos chaos, int most) {
    for (long seed = 1; seed <= most; seed++) {
      try {
        var _ = DurableStoreWorld.run(Choices.random(seed), flaw, chaos);
      } catch (AssertionError e) {
        return new Found(seed, e);
      }
    }
    return new Found(most, null);
  }
}
