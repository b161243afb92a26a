package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.internal.rooms.TaskControl;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// The effect of a failure in a group: of a child, or of the block.
class TaskGroupFailureTest extends GroupFixture {

  @Test
  void childFails_siblingsAndBlockAreCancelledAndAwaited() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      var told =
          failureOfCall(
              group,
              () -> {
                group.spawn("a", () -> hangAndCleanUp("a"));
                group.spawn("bad", () -> failAfter(1, "oops"));
                group.spawn("c", () -> hang("c"));
                try {
                  return hang("block");
                } catch (TaskCancelled e) {
                  trace(e.reason());
                  assertInstanceOf(IOException.class, e.trigger());
                  assertEquals("task 'bad'", e.canceller());
                  throw e;
                }
              });
      trace("left");
      assertEquals("task 'bad' failed: java.io.IOException: oops", told.getMessage());
      assertInstanceOf(IOException.class, told.getCause());
      assertEquals(0, told.getSuppressed().length);
      assertTrue(group.isCancelled());
      assertThrows(CancellationException.class, group::results);
      assertEquals(
          List.of(TaskState.CANCELLED, TaskState.FAILED, TaskState.CANCELLED),
          group.outcomes().stream().map(Outcome::state).toList());
    });
    assertTrace("oops block-ended task 'bad' has failed c-ended a-cleaned left");
  }

  @Test
  void childFails_blockIsOver_isThrownAtItsEnd() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      assertThrows(
          TaskFailedException.class,
          () -> {
            group.run(() -> {
              group.spawn(() -> hang("sibling"));
              group.spawn(() -> failAfter(3, "oops"));
              return "value";
            });
          });
    });
    assertTrace("oops sibling-ended");
  }

  @Test
  void childFails_neverRanSiblings_neverRun() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      failureOf(
          group,
          () -> {
            group.spawn(() -> failAfter(0, "oops"));
            group.spawn(() -> after(0, "not reached"));
            group.spawnSteps("steps", self -> self.done(after(0, "not reached")));
          });
    });
    assertTrace("oops");
  }

  @Test
  void stepChildFails_siblingsAreCancelled() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      var told =
          failureOf(
              group,
              () -> {
                group.spawn(() -> hang("sibling"));
                group.spawnSteps(
                    "steps",
                    self -> {
                      throw new IOException("step");
                    });
              });
      assertTrue(told.getMessage().startsWith("task 'steps' failed"));
    });
    assertTrace("sibling-ended");
  }

  @Test
  void severalFail_firstInTimeIsPrimaryOthersSuppressed() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      var told =
          failureOfCall(
              group,
              () -> {
                group.spawn(
                    "a",
                    () -> {
                      try {
                        return hang("a");
                      } finally {
                        failAfter(0, "a-cleanup");
                      }
                    });
                group.spawn("b", () -> failAfter(1, "b"));
                try {
                  return hang("block");
                } finally {
                  failAfter(0, "block-cleanup");
                }
              });
      assertEquals("task 'b' failed: java.io.IOException: b", told.getMessage());
      assertEquals(
          List.of(
              "java.io.IOException: block-cleanup",
              TaskFailedException.class.getName()
                  + ": task 'a' failed: java.io.IOException: a-cleanup"),
          Arrays.stream(told.getSuppressed()).map(Throwable::toString).toList());
    });
    assertTrace("b block-ended block-cleanup a-ended a-cleanup");
  }

  @Test
  void blockThrows_childrenAreCancelledAndAwaitedAndItIsThrownAsItIs() {
    var own = new IOException("own");
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      var told =
          assertThrows(
              IOException.class,
              () ->
                  group.run(() -> {
                    group.spawn("a", () -> hangAndCleanUp("a"));
                    group.spawn(
                        "b",
                        () -> {
                          try {
                            return hang("b");
                          } finally {
                            failAfter(0, "b-cleanup");
                          }
                        });
                    turns(1);
                    throw own;
                  }));
      trace("left");
      assertSame(own, told);
      assertInstanceOf(TaskFailedException.class, told.getSuppressed()[0]);
    });
    assertTrace("b-ended b-cleanup a-cleaned left");
  }

  @Test
  void blockJoinsTheChildThatFails_failureIsThrownOnce() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      var told =
          assertThrows(
              TaskFailedException.class,
              () -> group.run(() -> group.spawn("bad", () -> failAfter(1, "oops")).join()));
      assertEquals("task 'bad' failed: java.io.IOException: oops", told.getMessage());
      assertEquals(0, told.getSuppressed().length);
    });
    assertTrace("oops");
  }

  @Test
  void blockJoinsAChildThatIsCancelledWithTheGroup_seesTheFirstFailure() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      var told =
          failureOfCall(
              group,
              () -> {
                Task<String> waiting = group.spawn(() -> hang("waiting"));
                group.spawn("bad", () -> failAfter(1, "oops"));
                return assertThrows(TaskCancelled.class, waiting::join).reason();
              });
      assertTrue(told.getMessage().startsWith("task 'bad'"));
    });
    assertTrace("oops waiting-ended");
  }

  @Test
  void childCancelledByItself_isNoFailure() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      group.run(() -> {
        Task<String> a = group.spawn(() -> hang("a"));
        group.spawn(() -> after(3, "b"));
        turns(1);
        a.cancel("not needed");
      });
      assertFalse(group.isCancelled());
      assertThrows(CancellationException.class, group::results);
    });
    assertTrace("a-ended b");
  }

  @Test
  void childFailsWithATrapThatHealsIt_isNoFailure() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      group.run(() -> {
        Task<String> bad = group.spawn(() -> failAfter(1, "oops"));
        bad.trap((task, outcome) -> new Outcome.Success<>("healed"));
      });
      assertEquals(List.of("healed"), group.results());
    });
    assertTrace("oops");
  }

  @Test
  void blockThrows_whatCancelledTheChildren_isShownAsTheCallOfTheGroup() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      assertThrows(
          IOException.class,
          () ->
              group.run(() -> {
                group.spawn(() -> hang("a"));
                throw new IOException("own");
              }));
      var how = assertInstanceOf(Outcome.Cancelled.class, group.outcomes().getFirst());
      assertEquals(getClass().getName(), how.cause().site().getClassName());
    });
  }

  @Test
  void nested_innerFailure_staysInTheInnerGroupIfItIsCaught() {
    runTask(() -> {
      TaskGroup<String> outer = scheduler.newGroup("outer");
      outer.run(() -> {
        outer.spawn(() -> after(6, "sibling"));
        outer.spawn(() -> {
          TaskGroup<String> inner = scheduler.newGroup("inner");
          failureOf(
              inner,
              () -> {
                inner.spawn(() -> hang("cousin"));
                inner.spawn(() -> failAfter(1, "oops"));
              });
          return after(0, "healed");
        });
      });
      assertEquals(List.of("sibling", "healed"), outer.results());
    });
    assertTrace("oops cousin-ended healed sibling");
  }

  @Test
  void nested_outerFailure_reachesTheInnermost() {
    runTask(() -> {
      TaskGroup<String> outer = scheduler.newGroup("outer");
      var told =
          failureOf(
              outer,
              () -> {
                outer.spawn(() -> {
                  TaskGroup<String> inner = scheduler.newGroup("inner");
                  try {
                    inner.run(() -> inner.spawn(() -> hangAndCleanUp("innermost")));
                  } finally {
                    trace("inner-left");
                  }
                });
                outer.spawn("bad", () -> failAfter(2, "oops"));
              });
      assertTrue(told.getMessage().contains("'bad'"));
      assertEquals(0, told.getSuppressed().length);
    });
    assertTrace("oops innermost-cleaned inner-left");
  }

  // What comes for the owner while the group is ending: docs/inside/semantics.md, rule 44.

  /// Ways in which a group begins to end while a child that cleans up for a second is left.
  private List<TaskAction<?>> endings() {
    return List.of(
        () -> {
          TaskGroup<Object> group = scheduler.newGroup("cancelled");
          group.run(() -> {
            group.spawn(() -> hangAndCleanUp("a"));
            scheduler.yield();
            group.cancel("enough");
          });
        },
        () -> {
          TaskGroup<Object> group = scheduler.newGroup("failed");
          group.run(() -> {
            group.spawn(() -> hangAndCleanUp("a"));
            group.spawn("bad", () -> failAfter(1, "oops"));
          });
        },
        () -> {
          TaskGroup<Object> group = scheduler.newGroup("thrown");
          group.run(() -> {
            group.spawn(() -> hangAndCleanUp("a"));
            scheduler.yield();
            throw new IllegalStateException("of the block");
          });
        },
        () -> {
          TaskGroup<Object> race = scheduler.newGroup("race", TaskGroup.Policy.FIRST_SUCCESS);
          race.run(() -> {
            race.spawn(() -> hangAndCleanUp("a"));
            race.spawn(() -> after(1, "quick"));
          });
        });
  }

  private static final Duration HALF = Duration.ofMillis(500);
  private static final List<String> CLEANED =
      List.of("a-cleaned", "oops a-cleaned", "a-cleaned", "quick a-cleaned");

  @Test
  void ending_ownerIsCancelledMeanwhile_isDeliveredWhenTheChildrenHaveEnded() {
    for (int i = 0; i < CLEANED.size(); i++) {
      TaskAction<?> ending = endings().get(i);
      Task<Void> owner =
          scheduler.spawn(
              "owner",
              () -> {
                ending.run();
                trace("went on");
              });
      runTask(() -> {
        assertThrows(TimedOutException.class, () -> scheduler.await(Waitable.never(), HALF));
        assertTrue(owner.cancel("why"));
        assertThrows(CancellationException.class, owner::join);
      });
      assertTrace(CLEANED.get(i));
    }
  }

  @Test
  void ending_limitOfTheOwnerIsUpMeanwhile_isThrownWhenTheChildrenHaveEnded() {
    for (int i = 0; i < CLEANED.size(); i++) {
      TaskAction<?> ending = endings().get(i);
      runTask(() -> {
        assertThrows(TimedOutException.class, () -> scheduler.within(HALF, ending));
        trace("goes on");
      });
      assertTrace(CLEANED.get(i) + " goes on");
    }
  }

  @Test
  void ending_waitOfTheOwnerFailsMeanwhile_groupFailsWithThat() {
    for (int i = 0; i < CLEANED.size(); i++) {
      TaskAction<?> ending = endings().get(i);
      Task<Void> owner =
          scheduler.spawn(
              "owner",
              () -> {
                assertThrows(NoSuchElementException.class, ending::run);
              });
      runTask(() -> {
        assertThrows(TimedOutException.class, () -> scheduler.await(Waitable.never(), HALF));
        assertTrue(
            TaskControl.of(scheduler.host())
                .failWait(owner, () -> new NoSuchElementException("limit")));
        assertFalse(
            TaskControl.of(scheduler.host())
                .failWait(owner, () -> new NoSuchElementException("again")));
        owner.join();
      });
      assertTrace(CLEANED.get(i));
    }
  }
}
