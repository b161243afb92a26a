package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A task as an iterator.
class GeneratorTest extends SchedulerTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private void sleep(Duration time) {
    assertThrows(TimedOutException.class, () -> scheduler.await(Waitable.never(), time));
  }

  /// Counts from one, for ever, and traces when it is made to end.
  private Generator<Integer> numbers() {
    return scheduler.newGenerator(
        "numbers",
        sink -> {
          try {
            for (int i = 1; ; i++) {
              trace("make" + i);
              sink.yield(i);
            }
          } finally {
            trace("finally");
          }
        });
  }

  private Generator<Integer> upTo(int last) {
    return scheduler.newGenerator(
        "upTo",
        sink -> {
          for (int i = 1; i <= last; i++) {
            sink.yield(i);
          }
        });
  }

  // Pulling.

  /// Makes one element, a second after the request.
  private Generator<Integer> slow() {
    return scheduler.newGenerator(
        "slow",
        sink -> {
          sleep(SECOND);
          sink.yield(1);
        });
  }

  @Test
  void next_bodyRunsOnlyAsFarAsPulled() {
    runTask(() -> {
      try (var numbers = numbers()) {
        trace("made");
        assertEquals(1, numbers.next());
        trace("between");
        assertTrue(numbers.hasNext());
        assertTrue(numbers.hasNext());
        assertEquals(2, numbers.next());
        trace("closing");
      }
      trace("closed");
    });
    assertTrace("made make1 between make2 closing finally closed");
  }

  @Test
  void next_atTheEnd_throwsAgainAndAgain() {
    runTask(() -> {
      Generator<Integer> two = upTo(2);
      assertEquals(1, two.next());
      assertEquals(2, two.next());
      assertFalse(two.hasNext());
      assertFalse(two.hasNext());
      assertEquals(
          "generator 'upTo' has no more elements",
          assertThrows(NoSuchElementException.class, two::next).getMessage());
      two.close();
    });
  }

  @Test
  void next_null_isAnElement() {
    runTask(() -> {
      Generator<@Nullable String> nulls = scheduler.newGenerator("nulls", sink -> sink.yield(null));
      assertTrue(nulls.hasNext());
      assertNull(nulls.next());
      assertFalse(nulls.hasNext());
    });
  }

  @Test
  void next_bodySleeps_pullerWaitsAndOthersRun() {
    scheduler.spawn(() -> {
      Generator<String> slow =
          scheduler.newGenerator(
              "slow",
              sink -> {
                sleep(SECOND);
                sink.yield("a");
                sleep(SECOND);
                sink.yield("b");
              });
      slow.forEachRemaining(this::trace);
      trace(time.elapsed().toSeconds());
    });
    scheduler.spawn(() -> trace("other"));
    scheduler.start();
    assertTrace("other a b 2");
  }

  @Test
  void next_othersAreReady_pairOvertakesThemForAWhileOnly() {
    int[] pulled = {0};
    int[] seen = {0};
    scheduler.spawn(() -> {
      try (Generator<Integer> endless =
          scheduler.newGenerator(
              "endless",
              sink -> {
                while (true) {
                  sink.yield(1);
                }
              })) {
        while (seen[0] < 3) {
          pulled[0] += endless.next();
        }
      }
    });
    scheduler.spawn(() -> {
      for (; seen[0] < 3; seen[0]++) {
        trace(pulled[0]);
        scheduler.yield();
        scheduler.yield();
      }
    });
    scheduler.start();
    assertTrace("127 255 383");
  }

  @Test
  void stream_closed_endsTheBody() {
    runTask(() -> {
      try (Stream<Integer> stream = numbers().stream()) {
        assertEquals(List.of(2, 4), stream.map(i -> i * 2).limit(2).toList());
      }
      trace("closed");
    });
    assertTrace("make1 make2 finally closed");
  }

  @Test
  void body_recursive_yieldsAtAnyDepth() {
    record Tree(@Nullable Tree left, int value, @Nullable Tree right) {
      void walk(Generator.Sink<Integer> sink) {
        if (left != null) {
          left.walk(sink);
        }
        sink.yield(value);
        if (right != null) {
          right.walk(sink);
        }
      }
    }
    var tree = new Tree(new Tree(null, 1, null), 2, new Tree(new Tree(null, 3, null), 4, null));
    runTask(() -> {
      Generator<Integer> walk = scheduler.newGenerator("walk", tree::walk);
      assertEquals(List.of(1, 2, 3, 4), walk.stream().toList());
    });
  }

  /// All numbers with a given number of binary digits, by generators within generators.
  private Generator<String> binary(int digits) {
    return scheduler.newGenerator(
        "binary" + digits,
        sink -> {
          if (digits == 0) {
            sink.yield("");
            return;
          }
          try (Generator<String> shorter = binary(digits - 1)) {
            while (shorter.hasNext()) {
              String head = shorter.next();
              sink.yield(head + "0");
              sink.yield(head + "1");
            }
          } finally {
            trace("end" + digits);
          }
        });
  }

  @Test
  void nested_eachPullsTheNext() {
    runTask(() -> {
      var all = new ArrayList<String>();
      binary(3).forEachRemaining(all::add);
      assertEquals(List.of("000", "001", "010", "011", "100", "101", "110", "111"), all);
    });
    assertTrace("end1 end2 end3");
  }

  @Test
  void nested_closedEarly_innermostEndsFirst() {
    runTask(() -> {
      try (Generator<String> all = binary(20)) {
        assertEquals("0".repeat(20), all.next());
        assertEquals("0".repeat(19) + "1", all.next());
        assertTrue(scheduler.tasks().size() > 20);
      }
      trace("closed:" + scheduler.tasks().size());
    });
    var ends = new ArrayList<String>();
    for (int i = 1; i <= 20; i++) {
      ends.add("end" + i);
    }
    assertTrace(String.join(" ", ends) + " closed:2");
  }

  // Failures.

  @Test
  void next_bodyFails_isThrownAsItIsOnceAndNobodyElseIsTold() {
    var failure = new IOException("oops");
    runTask(() -> {
      Generator<Integer> bad =
          scheduler.newGenerator(
              "bad",
              sink -> {
                sink.yield(1);
                throw failure;
              });
      assertEquals(1, bad.next());
      assertSame(failure, assertThrows(IOException.class, bad::next));
      assertFalse(bad.hasNext());
      bad.close();
    });
  }

  @Test
  void body_failsWithNobodyPulling_isReportedAndThrownLater() {
    runTask(() -> {
      Generator<Integer> bad =
          scheduler.newGenerator(
              "bad",
              sink -> {
                sleep(SECOND.multipliedBy(2));
                throw new IOException("oops");
              });
      assertThrows(TimedOutException.class, () -> scheduler.within(SECOND, bad::next));
      sleep(SECOND.multipliedBy(3));
      assertThrows(IOException.class, bad::next);
    });
    assertEquals("task 'bad'", takeReported().getFirst().where());
  }

  @Test
  void next_pullGivenUp_losesNoElement() {
    runTask(() -> {
      Generator<Integer> slow =
          scheduler.newGenerator(
              "slow",
              sink -> {
                for (int i = 1; i <= 3; i++) {
                  sleep(SECOND.multipliedBy(2));
                  trace("make" + i);
                  sink.yield(i);
                }
              });
      assertThrows(TimedOutException.class, () -> scheduler.within(SECOND, slow::next));
      assertThrows(
          TimedOutException.class, () -> scheduler.within(Duration.ofMillis(500), slow::next));
      sleep(SECOND);
      trace("there");
      assertEquals(1, slow.next());
      assertEquals(2, slow.next());
      assertEquals(3, slow.next());
      assertFalse(slow.hasNext());
    });
    assertTrace("make1 there make2 make3");
  }

  @Test
  void next_bodyGivesUpItsYield_losesNoElement() {
    runTask(() -> {
      Generator<Integer> impatient =
          scheduler.newGenerator(
              "impatient",
              sink -> {
                assertThrows(
                    TimedOutException.class,
                    () ->
                        scheduler.within(
                            SECOND.multipliedBy(3),
                            () -> {
                              sleep(SECOND);
                              sink.yield(1);
                              return null;
                            }));
                sink.yield(2);
              });
      assertThrows(
          TimedOutException.class, () -> scheduler.within(Duration.ofMillis(500), impatient::next));
      sleep(SECOND.multipliedBy(5));
      assertEquals(1, impatient.next());
      assertEquals(2, impatient.next());
      assertFalse(impatient.hasNext());
    });
  }

  // Closing.

  @Test
  void close_neverPulled_bodyNeverRuns() {
    var numbers = numbers();
    numbers.close();
    assertFalse(numbers.hasNext());
    runTask(() -> {
      var others = numbers();
      others.close();
      others.close();
      assertThrows(NoSuchElementException.class, others::next);
    });
    assertTrace("");
  }

  @Test
  void close_elementNotTaken_isDropped() {
    runTask(() -> {
      var numbers = numbers();
      assertTrue(numbers.hasNext());
      numbers.close();
      assertFalse(numbers.hasNext());
    });
    assertTrace("make1 finally");
  }

  @Test
  void close_finallyWaits_closerWaitsThoughItIsCancelled() {
    Task<Void> closer =
        scheduler.spawn(() -> {
          try (Generator<Integer> slow =
              scheduler.newGenerator(
                  "slow",
                  sink -> {
                    try {
                      sink.yield(1);
                      sink.yield(2);
                    } finally {
                      scheduler.shielded(() -> {
                        sleep(SECOND);
                        return null;
                      });
                      trace("cleaned");
                    }
                  })) {
            assertEquals(1, slow.next());
            scheduler.suspend();
          } finally {
            trace("closed");
          }
        });
    drive();
    closer.cancel("why");
    scheduler.start();
    assertTrue(closer.isCancelled());
    assertTrace("cleaned closed");
  }

  @Test
  void close_finallyFails_isThrown() {
    runTask(() -> {
      Generator<Integer> bad =
          scheduler.newGenerator(
              "bad",
              sink -> {
                try {
                  sink.yield(1);
                } finally {
                  failure();
                }
              });
      assertEquals(1, bad.next());
      assertEquals("cleanup", assertThrows(IOException.class, bad::close).getMessage());
      bad.close();
    });
  }

  private static void failure() throws IOException {
    throw new IOException("cleanup");
  }

  @Test
  void close_bodyYieldsWhileItCleansUp_isRefused() {
    runTask(() -> {
      Generator<Integer> stubborn =
          scheduler.newGenerator(
              "stubborn",
              sink -> {
                try {
                  sink.yield(1);
                } finally {
                  assertThrows(TaskCancelled.class, () -> sink.yield(2));
                  scheduler.shielded(() -> {
                    var told = assertThrows(IllegalStateException.class, () -> sink.yield(3));
                    assertEquals(
                        "generator 'stubborn' is being closed: no consumer takes what it yields"
                            + " while it cleans up",
                        told.getMessage());
                    trace("refused");
                    return null;
                  });
                }
              });
      assertEquals(1, stubborn.next());
      stubborn.close();
    });
    assertTrace("refused");
  }

  private void assertYieldIsRefused(Generator.Sink<Integer> sink, int element) {
    var told = assertThrows(IllegalStateException.class, () -> sink.yield(element));
    assertTrue(told.getMessage().contains("is being closed: no consumer takes"), told.getMessage());
    trace("refused");
  }

  @Test
  void close_bodyYieldsInAShield_isRefused() {
    runTask(() -> {
      Generator<Integer> shielded =
          scheduler.newGenerator(
              "shielded",
              sink ->
                  scheduler.shielded(() -> {
                    assertYieldIsRefused(sink, 1);
                    return null;
                  }));
      assertEquals(1, shielded.next());
      shielded.close();
      trace("closed");
    });
    assertTrace("refused closed");
  }

  @Test
  void close_bodyYieldsInAShieldAfterAGivenUpYield_isRefused() {
    runTask(() -> {
      Generator<Integer> shielded =
          scheduler.newGenerator(
              "shielded",
              sink ->
                  scheduler.shielded(() -> {
                    assertThrows(
                        TimedOutException.class,
                        () ->
                            scheduler.within(
                                SECOND,
                                () -> {
                                  sink.yield(1);
                                  return null;
                                }));
                    assertYieldIsRefused(sink, 2);
                    return null;
                  }));
      assertTrue(shielded.hasNext());
      sleep(SECOND.multipliedBy(2));
      shielded.close();
      assertFalse(shielded.hasNext());
      trace("closed");
    });
    assertTrace("refused closed");
  }

  @Test
  void close_bodySleepsAfterAGivenUpPull_isWoken() {
    runTask(() -> {
      Generator<Integer> slow =
          scheduler.newGenerator(
              "slow",
              sink -> {
                try {
                  scheduler.suspend();
                } finally {
                  trace("finally");
                }
              });
      assertThrows(TimedOutException.class, () -> scheduler.within(SECOND, slow::next));
      slow.close();
      trace("closed");
    });
    assertTrace("finally closed");
  }

  @Test
  void leftOpen_doesNotHoldTheSchedulerAndEndsWithIt() {
    Scheduler own = newScheduler();
    var left = new ArrayList<Generator<Integer>>();
    own.spawn(() -> {
      Generator<Integer> numbers =
          own.newGenerator(
              "numbers",
              sink -> {
                try {
                  sink.yield(1);
                  sink.yield(2);
                } finally {
                  trace("finally");
                }
              });
      left.add(numbers);
      trace(numbers.next());
    });
    own.start();
    trace("started");
    own.close();
    trace("closed");
    assertTrace("1 started finally closed");
    assertThrows(CancellationException.class, left.getFirst()::next);
    assertFalse(left.getFirst().hasNext());
    left.getFirst().close();
  }

  // Outside of tasks.

  @Test
  void outsideOfTasks_drivesTheScheduler() {
    scheduler.spawn(() -> {
      for (int i = 0; i < 3; i++) {
        sleep(SECOND);
        trace("other");
      }
    });
    Generator<Integer> slow =
        scheduler.newGenerator(
            "slow",
            sink -> {
              try {
                for (int i = 1; ; i++) {
                  sleep(SECOND.multipliedBy(2));
                  sink.yield(i);
                }
              } finally {
                trace("finally");
              }
            });
    trace(slow.next());
    trace(slow.next());
    slow.close();
    trace("closed");
    scheduler.start();
    assertTrace("other 1 other other 2 finally closed");
  }

  @Test
  void outsideOfTasks_bodyFails_isThrown() {
    Generator<Integer> bad =
        scheduler.newGenerator(
            "bad",
            sink -> {
              throw new IOException("oops");
            });
    assertThrows(IOException.class, bad::next);
    assertFalse(bad.hasNext());
  }

  @Test
  void outsideOfTasks_bodyCanNeverGoOn_isADeadlockAndThePullIsUndone() {
    Generator<String> stuck =
        scheduler.newGenerator("stuck", sink -> sink.yield(String.valueOf(scheduler.suspend())));
    var told = assertThrows(DeadlockException.class, stuck::next);
    assertTrue(told.getMessage().contains("the next element of generator 'stuck'"));
    assertEquals(2, scheduler.tasks().size(), "the clock and the body");
    stuck.close();
  }

  @Test
  void outsideOfTasks_stoppedMeanwhile_saysSoAndMayBePulledAgain() {
    scheduler.spawn(() -> scheduler.stop());
    Generator<Integer> slow = slow();
    assertEquals(
        "the scheduler was stopped before the pull of generator 'slow' was over",
        assertThrows(IllegalStateException.class, slow::next).getMessage());
    assertEquals(1, slow.next());
    assertFalse(slow.hasNext());
  }

  // Misuse.

  @Test
  void pull_twoTasksAtOnce_secondIsRefused() {
    runTask(() -> {
      Generator<Integer> slow = slow();
      Task<Integer> first = scheduler.spawn("first", slow::next);
      scheduler.yield();
      scheduler.yield();
      assertEquals(
          "pull of generator 'slow', which task 'first' is pulling: one task at a time may",
          assertThrows(IllegalStateException.class, slow::next).getMessage());
      assertTrue(
          assertThrows(IllegalStateException.class, slow::close).getMessage().startsWith("close"));
      assertEquals(1, first.join());
      slow.close();
    });
  }

  private void spendTurn() {
    for (int i = 0; i < 128; i++) {
      scheduler.checkpoint();
    }
  }

  @Test
  void pull_turnIsSpentAndAnotherPullsFirst_bothReceiveAnElement() {
    Generator<Integer> numbers = numbers();
    Task<Integer> first =
        scheduler.spawn(
            "first",
            () -> {
              spendTurn();
              return numbers.next();
            });
    Task<Integer> second = scheduler.spawn("second", numbers::next);
    scheduler.start();
    assertEquals(1, second.join());
    assertEquals(2, first.join());
    numbers.close();
    assertTrace("make1 make2 finally");
  }

  @Test
  void pull_turnIsSpentAndAnotherIsPulling_isRefused() {
    Generator<Integer> slow = slow();
    Task<String> first =
        scheduler.spawn(
            "first",
            () -> {
              spendTurn();
              return assertThrows(IllegalStateException.class, slow::next).getMessage();
            });
    Task<Integer> second = scheduler.spawn("second", slow::next);
    scheduler.start();
    assertEquals(
        "pull of generator 'slow', which task 'second' is pulling: one task at a time may",
        first.join());
    assertEquals(1, second.join());
    slow.close();
  }

  /// Cleans up for a second.
  private Generator<Integer> cleaning() {
    return scheduler.newGenerator(
        "cleaning",
        sink -> {
          try {
            sink.yield(1);
          } finally {
            scheduler.shielded(() -> {
              sleep(SECOND);
              return null;
            });
            trace("cleaned");
          }
        });
  }

  @Test
  void close_turnIsSpentAndAnotherPullsFirst_pullIsRefusedAndCloserWaits() {
    var told = new ArrayList<String>();
    runTask(() -> {
      Generator<Integer> generator = cleaning();
      assertEquals(1, generator.next());
      scheduler.spawn(
          () -> told.add(assertThrows(IllegalStateException.class, generator::next).getMessage()));
      spendTurn();
      generator.close();
      trace("closed");
    });
    assertTrace("cleaned closed");
    assertEquals(
        List.of(
            "pull of generator 'cleaning', which task 'main' is closing: one task at a time may"),
        told);
  }

  @Test
  void pull_turnIsSpentAndAnotherIsClosing_isRefused() {
    var told = new ArrayList<String>();
    runTask(() -> {
      Generator<Integer> generator = cleaning();
      assertEquals(1, generator.next());
      scheduler.spawn(() -> {
        spendTurn();
        told.add(assertThrows(IllegalStateException.class, generator::next).getMessage());
      });
      scheduler.yield();
      generator.close();
      trace("closed");
    });
    assertTrace("cleaned closed");
    assertEquals(
        List.of(
            "pull of generator 'cleaning', which task 'main' is closing: one task at a time may"),
        told);
  }

  @Test
  void outsideOfTasks_aTaskPullsFirst_isRefusedAndSaysWho() {
    Generator<Integer> slow = slow();
    Task<Integer> first =
        scheduler.spawn(
            "first",
            () -> {
              scheduler.suspend();
              return slow.next();
            });
    scheduler.step();
    scheduler.post(() -> scheduler.queue().scheduleNext(first));
    assertEquals(
        "pull of generator 'slow', which task 'first' is pulling: one task at a time may",
        assertThrows(IllegalStateException.class, slow::next).getMessage());
    scheduler.start();
    assertEquals(1, first.join());
    slow.close();
  }

  @Test
  void close_elementNobodyTookAndBodyHasEnded_dropsIt() {
    runTask(() -> {
      var bodies = new ArrayList<Task<?>>();
      Generator<Integer> generator =
          scheduler.newGenerator(
              "g",
              sink -> {
                bodies.add(scheduler.currentTask());
                sink.yield(1);
              });
      assertTrue(generator.hasNext());
      bodies.getFirst().cancel("test");
      scheduler.yield();
      generator.close();
      assertFalse(generator.hasNext());
    });
  }

  private static void failCleanup() {
    throw new IllegalStateException("cleanup");
  }

  @Test
  void close_elementNobodyTookAndFinallyFails_isThrownAndNobodyElseIsTold() {
    runTask(() -> {
      Generator<Integer> generator =
          scheduler.newGenerator(
              "g",
              sink -> {
                try {
                  sink.yield(1);
                } finally {
                  failCleanup();
                }
              });
      assertTrue(generator.hasNext());
      assertEquals(
          "cleanup", assertThrows(IllegalStateException.class, generator::close).getMessage());
    });
  }

  @Test
  void pull_afterAnotherGaveUp_isAllowed() {
    runTask(() -> {
      Generator<Integer> slow = slow();
      Task<Integer> first = scheduler.spawn("first", slow::next);
      scheduler.yield();
      scheduler.yield();
      first.cancel("why");
      assertEquals(1, slow.next());
      slow.close();
    });
  }

  @Test
  void pull_byItsOwnBody_isRefused() {
    runTask(() -> {
      var self = new ArrayList<Generator<Integer>>();
      self.add(
          scheduler.newGenerator(
              "self",
              sink -> {
                assertThrows(IllegalStateException.class, self.getFirst()::close);
                var told = assertThrows(IllegalStateException.class, self.getFirst()::next);
                sink.yield(told.getMessage().contains("by its own body") ? 1 : 0);
              }));
      assertEquals(1, self.getFirst().next());
      self.getFirst().close();
    });
  }

  @Test
  void yield_byAnotherTask_isRefused() {
    runTask(() -> {
      var sinks = new ArrayList<Generator.Sink<Integer>>();
      Generator<Integer> generator =
          scheduler.newGenerator(
              "g",
              sink -> {
                sinks.add(sink);
                sink.yield(1);
              });
      assertEquals(1, generator.next());
      assertEquals(
          "yield of generator 'g' by task 'main': only its own body may, in its task",
          assertThrows(IllegalStateException.class, () -> sinks.getFirst().yield(2)).getMessage());
      generator.close();
    });
  }

  @Test
  void stepTaskOrThread_isRefused() throws Exception {
    Generator<Integer> three = upTo(3);
    elsewhere(() -> {
      assertThrows(WrongThreadException.class, three::next);
      assertThrows(WrongThreadException.class, three::hasNext);
      return assertThrows(WrongThreadException.class, three::close);
    });
    scheduler
        .host()
        .spawnSteps(
            "steps",
            self -> {
              var told = assertThrows(IllegalStateException.class, three::next);
              assertTrue(
                  told.getMessage().contains("which has no stack to leave"), told.getMessage());
              return StepResult.DONE;
            });
    scheduler.start();
    assertEquals(List.of(1, 2, 3), three.stream().toList());
  }

  @Test
  void generator_inheritsTaskLocalsOfItsMaker() {
    TaskLocal<String> user = TaskLocal.named("user");
    runTask(() -> {
      Generator<String> generator =
          TaskLocal.where(user, "maker")
              .run(() -> scheduler.newGenerator("g", sink -> sink.yield(user.get())));
      TaskLocal.where(user, "puller").run(() -> trace(generator.next()));
      assertFalse(generator.hasNext());
    });
    assertTrace("maker");
  }

  @Test
  void stream_manyElements_allArrive() {
    runTask(() -> {
      Integer[] all = upTo(10_000).stream().toArray(Integer[]::new);
      assertEquals(10_000, all.length);
      assertEquals(50_005_000, Arrays.stream(all).mapToInt(i -> i).sum());
    });
  }

  @Test
  void next_ofOneThatHasNotBegun_whileTheSchedulerCloses_isRefused() {
    Scheduler own = newScheduler();
    Generator<Integer> late = own.newGenerator("late", sink -> sink.yield(1));
    own.spawn(
        "cleans up",
        () -> {
          try {
            own.suspend();
          } finally {
            own.shielded(() -> {
              var refused = assertThrows(IllegalStateException.class, late::next);
              trace(refused.getMessage());
              return null;
            });
          }
        });
    own.step();
    own.close();
    assertTrace("pull of generator 'late', which has not begun, while the scheduler closes");
  }

  @Test
  void close_outsideOfTasksAfterAnOrderlyStop_runsTheFinallyBlocks() {
    try (Scheduler own = newScheduler();
        Generator<Integer> open =
            own.newGenerator(
                "open",
                sink -> {
                  try {
                    sink.yield(1);
                    sink.yield(2);
                  } finally {
                    trace("finally");
                  }
                })) {
      assertEquals(1, open.next());
      own.shutdown(SECOND, SECOND);
    }
    assertTrace("finally");
  }
}
