package dev.rondo.exploration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Throwables;
import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

@EveryBackend
final class ExplorerTest {

  private static final Duration NO_LIMIT = Duration.ofDays(1);

  @Parameter(0)
  CoroutineBackend backend;

  private Scheduler scheduler(Choices choices) {
    return Scheduler.builder()
        .backend(backend)
        .policy(choices::policy)
        .failureHandler((where, failure) -> {
          throw new AssertionError(where, failure);
        })
        .build();
  }

  // Bugs.

  /// A read and a write with a yield between them.
  private void lostUpdate(Choices choices) {
    var balance = new int[1];
    try (Scheduler scheduler = scheduler(choices)) {
      for (int i = 0; i < 3; i++) {
        scheduler.spawn(() -> {
          int before = balance[0];
          if (before == 1) {
            scheduler.yield();
          }
          balance[0] = before + 1;
        });
      }
      scheduler.start();
    }
    assertEquals(3, balance[0]);
  }

  /// Fails in the usual order, too.
  private void alwaysFails(Choices choices) {
    try (Scheduler scheduler = scheduler(choices)) {
      for (int i = 0; i < 4; i++) {
        scheduler.spawn(() -> scheduler.yield());
      }
      scheduler.start();
    }
    throw new IllegalStateException("as always");
  }

  /// Fails only if the third task runs first and the second one after it.
  private void wrongOrder(Choices choices) {
    var order = new ArrayList<Integer>();
    try (Scheduler scheduler = scheduler(choices)) {
      for (int i = 1; i <= 3; i++) {
        int number = i;
        scheduler.spawn(() -> order.add(number));
      }
      scheduler.start();
    }
    if (order.equals(List.of(3, 2, 1))) {
      throw new IllegalStateException("order " + order);
    }
  }

  private static Explorer uniform(long seed) {
    return new Explorer(Strategy.uniform(seed)).shrinking(NO_LIMIT, 10_000);
  }

  // Finding.

  @Test
  void explore_lostUpdate_everyStrategyFindsIt() {
    for (Strategy strategy :
        List.of(
            Strategy.uniform(1),
            Strategy.weighted(1),
            Strategy.pct(1, 2),
            Strategy.exhaustive(1, 2))) {
      Exploration result =
          new Explorer(strategy).shrinking(NO_LIMIT, 1000).explore(this::lostUpdate);
      assertEquals(
          "expected: <3> but was: <2>",
          result.failure().orElseThrow().getMessage(),
          result::toString);
    }
  }

  @Test
  void explore_wrongOrder_isShrunkToTheOneChoiceThatMatters() {
    for (int seed = 0; seed < 20; seed++) {
      Exploration result = uniform(seed).explore(this::wrongOrder);
      ChoiceSequence shrunk = result.shrunk().orElseThrow();
      assertEquals("order [3, 2, 1]", result.failure().orElseThrow().getMessage());
      assertEquals(2, shrunk.size(), result::toString);
      assertEquals(List.of(2L, 1L), List.of(shrunk.value(0), shrunk.value(1)));
    }
  }

  @Test
  void explore_failureInEveryOrder_isShrunkToNothing() {
    Exploration result = uniform(3).explore(this::alwaysFails);
    assertEquals(ChoiceSequence.empty(), result.shrunk().orElseThrow());
    assertTrue(result.found().orElseThrow().size() > 0);
  }

  @Test
  void explore_exhaustive_makesEachOrderOnce() {
    Set<List<Integer>> orders = new HashSet<>();
    Exploration result =
        new Explorer(Strategy.exhaustive(1, Integer.MAX_VALUE))
            .explore(choices -> {
              var order = new ArrayList<Integer>();
              try (Scheduler scheduler = scheduler(choices)) {
                for (int i = 1; i <= 4; i++) {
                  int number = i;
                  scheduler.spawn(() -> order.add(number));
                }
                scheduler.start();
              }
              assertTrue(orders.add(order), () -> "again: " + order);
            });
    assertEquals("all 24 orders pass (exhaustive, all orders, seed 1)", result.toString());
    assertTrue(result.isComplete());
    assertEquals(24, orders.size());
  }

  @Test
  void explore_replay_isTheSameFailure() {
    Exploration result = uniform(5).explore(this::lostUpdate);
    String text = result.shrunk().orElseThrow().print();
    Exploration again =
        new Explorer(Strategy.replay(ChoiceSequence.parse(text))).explore(this::lostUpdate);
    assertEquals(1, again.runs());
    assertEquals(
        result.failure().orElseThrow().getMessage(), again.failure().orElseThrow().getMessage());
    assertEquals(result.shrunk(), again.shrunk());
  }

  @Test
  void explore_deadlock_isFoundAndShrunk() {
    Exploration result =
        uniform(5)
            .explore(choices -> {
              try (Scheduler scheduler = scheduler(choices)) {
                var waiting = new ArrayList<Task<?>>();
                scheduler.spawn(
                    "waiter",
                    () -> {
                      scheduler.yield();
                      waiting.add(scheduler.currentTask());
                      scheduler.suspend();
                    });
                scheduler.spawn(
                    "waker",
                    () -> {
                      scheduler.yield();
                      waiting.forEach(scheduler::scheduleTask); // too early: the signal is missed
                    });
                scheduler.start();
              }
            });
    assertInstanceOf(DeadlockException.class, result.failure().orElseThrow());
    assertEquals(1, result.shrunk().orElseThrow().deviations(), result::toString);
  }

  // Divergence.

  @Test
  void replay_codeHasChanged_failsAtTheFirstChoiceThatDiffers() {
    Exploration result = uniform(5).explore(this::wrongOrder);
    var replay = new Explorer(Strategy.replay(result.shrunk().orElseThrow()));
    var diverged =
        assertThrows(
            ReplayDivergedException.class,
            () ->
                replay.explore(choices -> {
                  int drawn = choices.nextInt(3);
                  assertEquals(0, drawn);
                }));
    assertEquals(
        "the replay diverges at choice 1 of 2: recorded was TASK 2 of 3, id 3, and the run asks for"
            + " RANDOM, one of 3",
        diverged.getMessage().lines().findFirst().orElseThrow());
    assertEquals(0, diverged.index());
    assertTrue(
        Stream.of(diverged.getStackTrace())
            .anyMatch(frame -> frame.getMethodName().contains("replay_codeHasChanged")));
  }

  @Test
  void explore_somethingOutsideDecides_isSaidWithBothStacks() {
    var run = new int[1];
    Exploration result =
        uniform(5)
            .explore(choices -> {
              int drawn = run[0]++ % 2 == 0 ? choices.nextInt(3) : choices.nextInt(4);
              throw new IllegalStateException("drawn " + drawn);
            });
    assertTrue(
        result
            .toString()
            .endsWith("; a repetition differed: something outside of the choices decides"),
        result::toString);
    ReplayDivergedException diverged = result.divergence().orElseThrow();
    assertEquals(0, diverged.index());
    assertTrue(diverged.getMessage().contains("and the run asks for RANDOM, one of 4"));
    assertTrue(
        Stream.of(diverged.getCause().getStackTrace())
            .anyMatch(frame -> frame.getMethodName().contains("isSaidWithBothStacks")));
  }

  /// The failure of the last run may have to do with what outside decides, such as a machine that
  /// is busy.
  @Test
  void explore_simplestRunThenFailsInAnotherWay_isTheFailureThatWasFound() {
    var replays = new int[1];
    Exploration result =
        uniform(5)
            .explore(choices -> {
              if (choices.isReplay() && ++replays[0] == 2) {
                throw new UnsupportedOperationException("another one");
              }
              throw new IllegalStateException("drawn " + choices.nextInt(100));
            });
    assertEquals(2, replays[0]);
    assertTrue(result.failure().orElseThrow() instanceof IllegalStateException, result::toString);
    assertTrue(result.divergence().isPresent());
  }

  @Test
  void explore_failureThatCannotSayItsMessage_isFoundAndShrunk() {
    cannotSayItsMessage(() -> new IllegalStateException("it has none"));
    cannotSayItsMessage(() -> new AssertionError("nor has this one"));
  }

  private static void cannotSayItsMessage(Supplier<Throwable> reason) {
    var failure =
        new RuntimeException() {
          @Override
          public String getMessage() {
            Throwables.throwIfUnchecked(reason.get());
            return "";
          }
        };
    Exploration result =
        new Explorer(Strategy.uniform(1))
            .explore(choices -> {
              if (choices.nextInt(4) == 3) {
                throw failure;
              }
            });
    assertSame(failure, result.failure().orElseThrow());
    assertEquals(1, result.shrunk().orElseThrow().size());
  }

  // Interrupts of the caller, as by a limit of JUnit: it cuts short the run of a scheduler.

  @Test
  void explore_interruptedInARunThatFails_endsAsInterrupted() {
    var cutShort = new AssertionError("not all have ended");
    var runs = new int[1];
    var told =
        assertThrows(
            CancellationException.class,
            () ->
                uniform(5)
                    .explore(choices -> {
                      if (++runs[0] == 3) {
                        Thread.currentThread().interrupt();
                        throw cutShort;
                      }
                    }));
    assertTrue(Thread.interrupted());
    assertEquals("the exploration was interrupted in run 3 of 1,000", told.getMessage());
    assertSame(cutShort, told.getCause());
    assertEquals(3, runs[0]);
  }

  @Test
  void explore_interruptedInARunThatPasses_endsAsInterrupted() {
    var told =
        assertThrows(
            CancellationException.class,
            () -> uniform(5).explore(choices -> Thread.currentThread().interrupt()));
    assertTrue(Thread.interrupted());
    assertEquals("the exploration was interrupted in run 1 of 1,000", told.getMessage());
  }

  @Test
  void explore_interruptedWhileItShrinks_keepsTheFailure() {
    var failure = new IllegalStateException("broken");
    var runs = new int[1];
    Exploration result =
        uniform(5)
            .explore(choices -> {
              int drawn = choices.nextInt(1_000);
              if (++runs[0] == 4) {
                Thread.currentThread().interrupt();
                throw new AssertionError("not all have ended");
              }
              if (drawn > 2) {
                throw failure;
              }
            });
    assertTrue(Thread.interrupted());
    assertSame(failure, result.failure().orElseThrow());
    assertTrue(result.divergence().isEmpty());
    assertEquals(4, runs[0]);
  }

  @Test
  void explore_passes_saysHowOften() throws Throwable {
    Exploration result = uniform(5).runs(10).explore(choices -> {});
    assertFalse(result.isComplete());
    assertEquals("10 runs pass (uniform, seed 5)", result.toString());
    result.requireNoFailure();
  }
}
