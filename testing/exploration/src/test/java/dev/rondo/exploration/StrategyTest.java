package dev.rondo.exploration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.exploration.internal.Candidates;
import dev.rondo.exploration.internal.RunChoices;
import dev.rondo.exploration.internal.SwitchingPolicy;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.Parameter;

@EveryBackend
final class StrategyTest {

  @Parameter(0)
  CoroutineBackend backend;

  /// A read, a yield and a write of one task, after some turns; and a write of another.
  ///
  /// @return whether the other write came in between
  private boolean isLost(Choices choices) {
    int[] value = new int[1];
    try (Scheduler scheduler =
        Scheduler.builder().backend(backend).policy(choices::policy).build()) {
      scheduler.spawn(() -> {
        for (int i = 0; i < 10; i++) {
          scheduler.yield();
        }
        int before = value[0];
        scheduler.yield();
        value[0] = before + 1;
      });
      scheduler.spawn(() -> {
        scheduler.yield();
        value[0]++;
      });
      scheduler.start();
    }
    return value[0] == 1;
  }

  @Test
  void pct_bugOfDepthTwo_isFoundAtLeastAsOftenAsTheBoundSays() {
    int runs = 4000;
    var found = new int[1];
    var steps = new int[1];
    Exploration result =
        new Explorer(Strategy.pct(7, 2))
            .runs(runs)
            .explore(choices -> {
              found[0] += isLost(choices) ? 1 : 0;
              steps[0] = Math.max(steps[0], choices.size());
            });
    assertEquals(runs, result.runs());
    double bound = 1.0 / (2 * steps[0]); // 1 / (n * k^(d-1))
    assertTrue(
        found[0] >= bound * runs,
        () -> "%d of %d, the bound is %.3f".formatted(found[0], runs, bound));
  }

  @Test
  void pct_ofDepthOne_neverFindsABugOfDepthTwo() {
    Exploration result =
        new Explorer(Strategy.pct(7, 1)).runs(500).explore(choices -> assertFalse(isLost(choices)));
    assertTrue(result.failure().isEmpty(), result::toString);
  }

  /// A bug that needs the turns A B A B A: three changes, and the end of B.
  private boolean alternates(Choices choices) {
    var made = new StringBuilder();
    try (Scheduler scheduler =
        Scheduler.builder().backend(backend).policy(choices::policy).build()) {
      for (String name : List.of("A", "B")) {
        scheduler.spawn(() -> {
          for (int i = 0; i < (name.equals("A") ? 3 : 2); i++) {
            scheduler.yield();
            made.append(name);
            scheduler.yield();
          }
        });
      }
      scheduler.start();
    }
    return made.toString().equals("ABABA");
  }

  @Test
  void pct_bugOfThreeChanges_isFoundAtDepthFour_andNotAtDepthThree() {
    var found = new int[1];
    for (int depth = 3; depth <= 4; depth++) {
      found[0] = 0;
      Exploration _ =
          new Explorer(Strategy.pct(7, depth))
              .runs(2_000)
              .explore(choices -> found[0] += alternates(choices) ? 1 : 0);
      assertEquals(depth == 4, found[0] > 0, "depth %d: %d".formatted(depth, found[0]));
    }
  }

  @Test
  void pct_taskThatWaitsInALoop_doesNotHangTheRun() {
    Exploration result =
        new Explorer(Strategy.pct(7, 3))
            .runs(20)
            .explore(choices -> {
              var done = new boolean[1];
              try (Scheduler scheduler =
                  Scheduler.builder().backend(backend).policy(choices::policy).build()) {
                scheduler.spawn(() -> {
                  while (!done[0]) {
                    scheduler.yield();
                  }
                });
                scheduler.spawn(() -> done[0] = true);
                scheduler.start();
              }
            });
    assertEquals(20, result.runs());
    assertTrue(result.failure().isEmpty());
  }

  /// Two candidates, each 500 times: of uniform choices hardly any run has more than 600 of one.
  @Test
  void weighted_someAreSlowThroughoutARun() {
    var unlike = new int[1];
    Exploration result =
        new Explorer(Strategy.weighted(7))
            .runs(100)
            .explore(choices -> {
              int first = 0;
              for (int i = 0; i < 1_000; i++) {
                first += choices.choose(ChoiceKind.TASK, 2, index -> index + 1) == 0 ? 1 : 0;
              }
              unlike[0] += Math.abs(first - 500) > 100 ? 1 : 0;
              assertTrue(first > 0 && first < 1_000);
            });
    assertEquals(100, result.runs());
    assertTrue(unlike[0] > 50, () -> unlike[0] + " runs");
  }

  /// Two tasks access the same place, one of them once and the other one nine times, amid as many
  /// other steps. A random walk has the one access first in half of the runs.
  @Test
  void surw_eachOrderIsAboutAsLikely() {
    var first = new int[1];
    Exploration _ =
        new Explorer(Strategy.surw(7))
            .runs(1_000)
            .explore(choices -> first[0] += isFirst(choices) ? 1 : 0);
    assertTrue(first[0] > 50 && first[0] < 200, () -> first[0] + " of 1000");
  }

  /// What a task does at the place while no other is ready is done without a choice.
  @Test
  void surw_accessesWithoutAChoice_areNotLeft() {
    Candidates atThePlace =
        new Candidates() {
          @Override
          public long applyAsLong(int index) {
            return index + 1L;
          }

          @Override
          public String name(int index) {
            return "task " + index;
          }

          @Override
          public String place(int index) {
            return "place";
          }
        };
    var first = new int[2];
    Exploration _ =
        new Explorer(Strategy.surw(7))
            .runs(1_000)
            .explore(choices -> {
              for (int i = 0; i < 51; i++) {
                choices.reached(1, "place");
              }
              choices.reached(2, "place");
              first[choices.choose(ChoiceKind.TASK, 2, atThePlace)]++;
            });
    assertTrue(first[0] > 400 && first[1] > 400, () -> first[0] + " and " + first[1]);
  }

  /// Another task, which was put to the front, is next without a choice.
  @Test
  void place_ofATaskWhoseTurnIsOver_isNone() {
    var places = new ArrayList<String>();
    var chooser =
        new UniformChooser(7) {
          @Override
          long choose(ChoiceKind kind, int part, long count, @Nullable IntToLongFunction ids) {
            for (int i = 0; i < count && ids instanceof Candidates candidates; i++) {
              places.add(candidates.name(i) + candidates.place(i));
            }
            return 0;
          }
        };
    SwitchingPolicy policy = RunChoices.of(new Choices(chooser, "test")).switchingPolicy();
    try (Scheduler scheduler = Scheduler.builder().backend(backend).build()) {
      Task<Void> one = scheduler.newTask("one", () -> {});
      Task<Void> front = scheduler.newTask("front", () -> {});
      policy.add(one);
      assertSame(one, policy.next());
      policy.reaches(null, -1, "field", "place", true);
      policy.add(one);
      policy.addFirst(front);
      assertSame(front, policy.next());
      policy.add(front);
      assertSame(one, policy.next());
    }
    assertEquals(List.of("one", "front"), places);
  }

  /// {@return whether the task with one access has made it before the other one has made any}
  private static boolean isFirst(Choices choices) {
    var left = new int[] {1, 18};
    choices.reached(1, "place");
    choices.reached(2, "place");
    while (left[0] > 0 && left[1] > 0) {
      int next =
          choices.choose(
              ChoiceKind.TASK,
              2,
              new Candidates() {
                @Override
                public long applyAsLong(int index) {
                  return index + 1L;
                }

                @Override
                public String name(int index) {
                  return "task " + index;
                }

                @Override
                public String place(int index) {
                  return isAtThePlace(index, left[index]) ? "place" : "";
                }
              });
      left[next]--;
      if (left[next] > 0 && isAtThePlace(next, left[next])) {
        choices.reached(next + 1, "place");
      }
    }
    return left[0] == 0 && left[1] == 18;
  }

  private static boolean isAtThePlace(int task, int left) {
    return left % 2 != task;
  }

  @Test
  void weighted_sameSeed_sameRuns() {
    assertEquals(firstRuns(3), firstRuns(3));
  }

  private static List<ChoiceSequence> firstRuns(long seed) {
    var runs = new ArrayList<ChoiceSequence>();
    Exploration _ =
        new Explorer(Strategy.weighted(seed))
            .runs(5)
            .explore(choices -> {
              for (int i = 0; i < 20; i++) {
                int _ = choices.choose(ChoiceKind.HOST, 3, index -> index + 1);
                int _ = choices.nextInt(10);
              }
              runs.add(choices.sequence());
            });
    return runs;
  }

  @Test
  void exhaustive_withABound_makesTheOrdersWithinItOnce() {
    for (int bound = 0; bound <= 4; bound++) {
      int most = bound;
      Set<List<Integer>> orders = new HashSet<>();
      Exploration result =
          new Explorer(Strategy.exhaustive(1, bound))
              .explore(choices -> {
                var order = new ArrayList<Integer>();
                for (int left = 4; left > 1; left--) {
                  order.add(choices.choose(ChoiceKind.TASK, left, index -> index + 1));
                }
                assertTrue(orders.add(order), () -> "again: " + order);
                assertTrue(choices.sequence().deviations() <= most);
              });
      assertTrue(result.isComplete());
      assertEquals(List.of(1, 7, 18, 24, 24).get(bound), orders.size());
    }
  }

  @Test
  void exhaustive_randomNumbers_smallOnesAreTriedLargeOnesAreFixed() {
    Set<List<Long>> drawn = new HashSet<>();
    Exploration result =
        new Explorer(Strategy.exhaustive(1, 0))
            .explore(choices -> {
              long large = choices.nextLong();
              long small = choices.nextInt(8);
              long other = choices.nextInt(9);
              long fault = choices.chance(ChoiceKind.FAULT, 0.001) ? 1 : 0;
              assertTrue(drawn.add(List.of(large, small, other, fault)));
            });
    assertEquals("16 runs pass (exhaustive, up to 0 deviations, seed 1)", result.toString());
    assertFalse(result.isComplete());
    assertEquals(1, drawn.stream().map(List::getFirst).distinct().count());
    assertEquals(1, drawn.stream().map(each -> each.get(2)).distinct().count());
  }

  /// {@return the choice at which an exhaustive search finds that something outside decides}
  ///
  /// @param body one run, and its number
  private static int divergence(BiConsumer<Choices, Integer> body) {
    var run = new int[1];
    var explorer = new Explorer(Strategy.exhaustive(1, 2));
    return assertThrows(
            ReplayDivergedException.class,
            () -> explorer.explore(choices -> body.accept(choices, run[0]++)))
        .index();
  }

  @Test
  void exhaustive_somethingOutsideDecides_fails() {
    int diverged =
        divergence((choices, run) -> {
          boolean _ = choices.nextBoolean();
          int _ = choices.choose(ChoiceKind.TASK, run == 0 ? 2 : 3, index -> index + 1);
          boolean _ = choices.nextBoolean();
        });
    assertEquals(1, diverged);
  }

  /// A static that survives a run does this.
  @Test
  void exhaustive_variedChoiceIsAnotherOne_fails() {
    int diverged =
        divergence((choices, run) -> {
          int _ = choices.choose(ChoiceKind.RANDOM, run == 0 ? 3 : 2);
        });
    assertEquals(0, diverged);
  }

  @Test
  void exhaustive_variedChoiceIsNotMade_fails() {
    int diverged =
        divergence((choices, run) -> {
          if (run == 0) {
            boolean _ = choices.nextBoolean();
          }
        });
    assertEquals(0, diverged);
  }

  /// Each host has tasks of its own, and hosts and tasks are chosen in turn.
  @Test
  void pct_ofTwoHosts_letsNoTaskWaitForEver() {
    for (int seed = 0; seed < 20; seed++) {
      var chooser = new PctChooser(seed, 1, 10);
      var chosen = new HashSet<Long>();
      for (int i = 0; i < 3_000; i++) {
        chosen.add(100 + chooser.choose(ChoiceKind.HOST, 0, 2, index -> index + 1));
        chosen.add(chooser.choose(ChoiceKind.TASK, 0, 2, index -> index + 1));
        chosen.add(10 + chooser.choose(ChoiceKind.TASK, 0, 2, index -> index + 11));
      }
      assertEquals(Set.of(0L, 1L, 10L, 11L, 100L, 101L), chosen);
    }
  }

  /// Of two tasks that lose their priority, each is as likely to end up below the other (Burckhardt
  /// et al., 2010, 2.4).
  @Test
  void pct_priorities_doNotFollowTheOrderOfTheChanges() {
    var lower = new int[2];
    for (int seed = 0; seed < 1_000; seed++) {
      var chooser = new PctChooser(seed, 3, 10);
      var lost = new LinkedHashSet<Long>();
      long best = chooser.choose(ChoiceKind.TASK, 0, 4, index -> index + 1);
      for (int i = 0; i < 20; i++) {
        long next = chooser.choose(ChoiceKind.TASK, 0, 4, index -> index + 1);
        if (next != best) {
          lost.add(best);
          best = next;
        }
      }
      if (lost.size() == 2) {
        List<Long> both = List.copyOf(lost);
        lower[(int) chooser.choose(ChoiceKind.TASK, 0, 2, index -> both.get(index) + 1)]++;
      }
    }
    assertTrue(lower[0] > 200 && lower[1] > 200, () -> lower[0] + " and " + lower[1]);
  }

  /// Otherwise a task that is chosen whenever there is a host to choose would keep its priority.
  @Test
  void pos_ofTwoHosts_aTaskDrawsAPriorityAfterEachTurn() {
    var chooser = new PosChooser(7);
    var chosen = new int[2];
    for (int i = 0; i < 1_000; i++) {
      long _ = chooser.choose(ChoiceKind.HOST, 0, 2, index -> index + 1);
      chosen[(int) chooser.choose(ChoiceKind.TASK, 0, 2, index -> index + 1)]++;
    }
    assertTrue(chosen[0] > 300 && chosen[1] > 300, () -> chosen[0] + " and " + chosen[1]);
  }

  @Test
  void strategies_outOfRange_areRefused() {
    assertRefused("depth must be from 1 to 5: depth=0", () -> Strategy.pct(1, 0));
    assertRefused("depth must be from 1 to 5: depth=6", () -> Strategy.pct(1, 6));
    assertRefused("deviations must be at least 0: deviations=-1", () -> Strategy.exhaustive(1, -1));
    Explorer explorer = new Explorer(Strategy.uniform(1));
    assertRefused("runs must be at least 1: runs=0", () -> explorer.runs(0));
    assertRefused(
        "limit and most must be at least zero: limit=0 s, most=-1",
        () -> explorer.shrinking(Duration.ZERO, -1));
  }

  private static void assertRefused(String message, Executable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
  }
}
