package dev.rondo.benchmarks.bugs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.exploration.ChoiceSequence;
import dev.rondo.exploration.Choices;
import dev.rondo.exploration.Exploration;
import dev.rondo.exploration.Explorer;
import dev.rondo.exploration.Strategy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each [Bug] passes in the usual order and is found by a strategy; its mended twin passes as many
/// runs of each.
final class BugTest {

  private static final int RUNS = 300;
  private static final int LEAST_BUGS = 25;
  private static final List<Strategy> STRATEGIES =
      List.of(Strategy.uniform(1), Strategy.pct(1, 3), Strategy.exhaustive(1, Integer.MAX_VALUE));

  static List<Bug> bugs() {
    return Bug.all();
  }

  @Test
  void all_areMany_andHaveNamesOfTheirOwn() {
    List<Bug> bugs = bugs();
    assertTrue(bugs.size() >= LEAST_BUGS, () -> bugs.size() + " bugs");
    assertEquals(bugs.size(), bugs.stream().map(Bug::name).distinct().count());
  }

  @ParameterizedTest
  @MethodSource("bugs")
  void usualOrder_passes(Bug bug) {
    bug.run(Choices.replay(ChoiceSequence.empty()));
  }

  @ParameterizedTest
  @MethodSource("bugs")
  void bug_isFoundByAStrategy(Bug bug) {
    assertTrue(
        STRATEGIES.stream()
            .map(strategy -> new Explorer(strategy).runs(RUNS).explore(bug::run))
            .anyMatch(result -> result.failure().isPresent()));
  }

  @ParameterizedTest
  @MethodSource("bugs")
  void mended_passes(Bug bug) throws Throwable {
    for (Strategy strategy : STRATEGIES) {
      Exploration result = new Explorer(strategy).runs(RUNS).explore(bug::runMended);
      result.requireNoFailure();
    }
  }
}
