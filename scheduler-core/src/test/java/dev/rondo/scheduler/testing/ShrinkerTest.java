package dev.rondo.scheduler.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShrinkerTest {

  private static List<Integer> upTo(int end) {
    return IntStream.range(0, end).boxed().toList();
  }

  @Test
  void shrink_threeStepsMatter_leavesTheseInOrder() {
    var needed = List.of(17, 400, 998);
    assertEquals(needed, Shrinker.shrink(upTo(1_000), 3_000, script -> script.containsAll(needed)));
  }

  @Test
  void shrink_anyThreeSteps_leavesThree() {
    assertEquals(
        3, Shrinker.<Integer>shrink(upTo(100), 3_000, script -> script.size() >= 3).size());
  }

  @Test
  void shrink_nothingMatters_leavesNothing() {
    assertEquals(List.of(), Shrinker.<Integer>shrink(upTo(100), 3_000, script -> true));
    assertEquals(List.of(), Shrinker.<Integer>shrink(List.of(), 3_000, script -> true));
  }

  @Test
  void shrink_budgetSpent_leavesWhatFails() {
    var tried = new ArrayList<List<Integer>>();
    List<Integer> small =
        Shrinker.shrink(
            upTo(64),
            5,
            script -> {
              tried.add(script);
              return script.contains(63);
            });
    assertEquals(5, tried.size());
    assertTrue(small.contains(63) && small.size() < 64, small.toString());
  }

  @Test
  void check_oneSeedFails_isShownSmallWithItsSeed() {
    var seen = new ArrayList<Long>();
    var failure =
        assertThrows(
            AssertionError.class,
            () ->
                RandomScripts.<Integer>check(
                    "steps",
                    10,
                    seed -> {
                      seen.add(seed);
                      return upTo(seen.size() == 4 ? 100 : 10);
                    },
                    script -> script.contains(42) ? Optional.of("42 is bad") : Optional.empty()));
    assertEquals(4, seen.size());
    assertEquals(
        "steps, seed %d (-Drondo.test.seed=%d), 100 steps: 42 is bad%nIn short, 1 steps:%n  42%n42 is bad"
            .formatted(seen.getLast(), seen.getLast()),
        failure.getMessage());
  }
}
