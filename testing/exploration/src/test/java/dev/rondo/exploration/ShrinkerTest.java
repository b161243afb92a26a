package dev.rondo.exploration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// Runs that consist of what they draw.
class ShrinkerTest {

  private static final int RUNS = 10_000;

  private static Exploration explore(long seed, Explorer.Body body) {
    return new Explorer(Strategy.uniform(seed)).shrinking(Duration.ofDays(1), RUNS).explore(body);
  }

  /// Without a limit on its steps, an attempt with zeros would never end.
  @Test
  void attempt_thatIsFarLongerThanTheRun_isGivenUp() {
    for (int seed = 0; seed < 20; seed++) {
      Exploration result =
          explore(
              seed,
              choices -> {
                do {
                  choices.step();
                } while (choices.nextInt(10) < 9);
                throw new IllegalStateException("nine");
              });
      assertEquals("nine", result.failure().orElseThrow().getMessage());
      assertEquals(1, result.shrunk().orElseThrow().size(), result::toString);
      assertEquals(9, result.shrunk().orElseThrow().value(0));
    }
  }

  /// The run, and its repetitions, have no limit.
  @Test
  void runItself_hasNoLimit() {
    Exploration result =
        explore(
            1,
            choices -> {
              for (int i = 0; i < 100_000; i++) {
                choices.step();
                int _ = choices.nextInt(10);
              }
              throw new IllegalStateException("as always");
            });
    assertEquals("as always", result.failure().orElseThrow().getMessage());
    assertEquals(0, result.shrunk().orElseThrow().size());
  }

  /// What the first part draws decides how much it draws. The third number of the second part stays
  /// where it is.
  @Test
  void parts_haveChoicesOfTheirOwn() {
    for (int seed = 0; seed < 20; seed++) {
      Exploration result =
          explore(
              seed,
              choices -> {
                RandomGenerator one = choices.generator(ChoiceKind.RANDOM, 1);
                RandomGenerator other = choices.generator(ChoiceKind.RANDOM, 2);
                int third = 0;
                for (int i = 0; i < 3; i++) {
                  for (int left = one.nextInt(20); left > 0; left--) {
                    int _ = one.nextInt();
                  }
                  third = other.nextInt(2);
                }
                if (third == 1) {
                  throw new IllegalStateException("one");
                }
              });
      ChoiceSequence shrunk = result.shrunk().orElseThrow();
      assertEquals(1, shrunk.deviations(), result::toString);
      assertTrue(result.shrinkRuns() < 40, result::toString);
    }
  }

  /// Each change of a latency gives another result, as in a world: the run cannot be simplified bit
  /// by bit, and a simple one is among few others.
  @Test
  void runInWhichMuchDependsOnChance_isReplacedByASimplerOne() {
    Exploration result =
        explore(
            1,
            choices -> {
              RandomGenerator latencies = choices.generator(ChoiceKind.DELIVERY, 0);
              RandomGenerator host = choices.generator(ChoiceKind.RANDOM, 1);
              long hash = 0;
              for (int i = 0; i < 300; i++) {
                hash = 31 * hash + latencies.nextInt(1_000);
                hash ^= hash >>> 7;
              }
              for (int i = 0; i < 5; i++) {
                hash = 31 * hash + host.nextInt(1_000);
                hash ^= hash >>> 7;
              }
              if (Math.floorMod(hash, 40) == 1) {
                throw new IllegalStateException("unlucky");
              }
            });
    ChoiceSequence shrunk = result.shrunk().orElseThrow();
    assertTrue(result.found().orElseThrow().deviations() > 250, result::toString);
    assertTrue(shrunk.deviations() < 5, result::toString);
    for (int i = 0; i < shrunk.size(); i++) {
      assertTrue(shrunk.kind(i) == ChoiceKind.RANDOM || shrunk.value(i) == 0, result::toString);
    }
  }

  /// A run has as many choices whatever it draws, so none is shorter; but some are all zeros in
  /// many of their parts.
  @Test
  void runInWhichMuchDependsOnChance_losesWholeParts() {
    Exploration result =
        new Explorer(Strategy.uniform(1))
            .shrinking(Duration.ofDays(1), 500)
            .explore(choices -> {
              long hash = 0;
              for (int part = 1; part <= 40; part++) {
                RandomGenerator host = choices.generator(ChoiceKind.RANDOM, part);
                for (int i = 0; i < 8; i++) {
                  hash = 31 * hash + host.nextInt(1_000);
                  hash ^= hash >>> 7;
                }
              }
              if (Math.floorMod(hash, 50) == 1) {
                throw new IllegalStateException("unlucky");
              }
            });
    assertTrue(result.found().orElseThrow().deviations() > 300, result::toString);
    assertTrue(result.shrunk().orElseThrow().deviations() < 100, result::toString);
  }

  /// Nothing can be left out of the forty short parts, and most of the one long part. A run of it
  /// with other numbers does not fail.
  @Test
  void longPart_isShrunkBeforeManyShortOnes() {
    var wanted = new ArrayList<Integer>();
    Exploration result =
        new Explorer(Strategy.uniform(1))
            .shrinking(Duration.ofDays(1), 60)
            .explore(choices -> {
              var drawn = new ArrayList<Integer>();
              for (int part = 2; part <= 41; part++) {
                RandomGenerator fault = choices.generator(ChoiceKind.FAULT, part);
                fault.ints(8, 1, 1_000).forEach(drawn::add);
              }
              int[] latencies =
                  choices.generator(ChoiceKind.RANDOM, 1).ints(10_000, 0, 100).toArray();
              if (wanted.isEmpty()) {
                wanted.addAll(drawn);
              }
              if (drawn.equals(wanted) && latencies[0] > 0) {
                throw new IllegalStateException("late");
              }
            });
    assertTrue(result.found().orElseThrow().deviations() > 9_000, result::toString);
    assertTrue(result.shrunk().orElseThrow().deviations() < 3_000, result::toString);
    assertTrue(result.toString().endsWith("the limit of shrinking was reached"), result::toString);
  }

  @Test
  void shrinkingThatHasTriedAll_doesNotSpeakOfItsLimit() {
    Exploration result =
        explore(
            1,
            choices -> {
              if (choices.nextInt(10) > 0) {
                throw new IllegalStateException("not zero");
              }
            });
    assertTrue(result.toString().endsWith("to 1 choices, 1 of them not zero"), result::toString);
  }
}
