package dev.rondo.scheduler;

import static dev.rondo.scheduler.TaskGroup.Policy.COLLECT;
import static dev.rondo.scheduler.TaskGroup.Policy.FIRST_SUCCESS;
import static dev.rondo.scheduler.TaskGroup.Policy.SUPERVISE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Tasks that end with the block that started them.
class TaskGroupTest extends SchedulerTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  /// Waits for so many turns.
  private void turns(int count) {
    for (int i = 0; i < count; i++) {
      scheduler.yield();
    }
  }

  private String after(int turns, String value) {
    turns(turns);
    trace(value);
    return value;
  }

  private String failAfter(int turns, String message) throws IOException {
    turns(turns);
    trace(message);
    throw new IOException(message);
  }

  /// Waits until it is cancelled, and says so.
  private String hang(String name) {
    try {
      scheduler.suspend();
      return name;
    } finally {
      trace(name + "-ended");
    }
  }

  /// Waits until it is cancelled, and then cleans up for a second.
  private String hangAndCleanUp(String name) throws Exception {
    try {
      scheduler.suspend();
      return name;
    } finally {
      scheduler.shielded(() -> {
        assertThrows(TimeoutException.class, () -> scheduler.await(Waitable.never(), SECOND));
        return null;
      });
      trace(name + "-cleaned");
    }
  }

  // Wait for all.

  @Test
  void run_children_areAwaitedAndResultsAreInSpawnOrder() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      group.run(() -> {
        group.spawn(() -> after(3, "slow"));
        group.spawn("named", () -> after(1, "quick"));
        int[] left = {2};
        group.spawnSteps(
            "steps",
            self -> {
              if (left[0]-- > 0) {
                return Turn.AGAIN;
              }
              trace("steps");
              return self.done("steps");
            });
        trace("block");
      });
      trace("left");
      assertEquals(List.of("slow", "quick", "steps"), group.results());
      assertEquals(
          List.of(
              new Outcome.Success<>("slow"),
              new Outcome.Success<>("quick"),
              new Outcome.Success<>("steps")),
          group.outcomes());
      assertFalse(group.isCancelled());
    });
    assertTrace("block quick steps slow left");
  }

  @Test
  void call_valueOfTheBlock_isReturnedWhenTheLastChildHasEnded() {
    runTask(() -> {
      TaskGroup<Object> group = scheduler.newGroup("g");
      String sum =
          group.call(() -> {
            Task<String> name = group.spawn(() -> after(1, "ada"));
            Task<Integer> age = group.spawn(() -> 36);
            group.spawn(() -> trace(after(5, "late")));
            return name.join() + age.join();
          });
      trace(sum);
      assertEquals(Arrays.asList("ada", 36, null), group.results());
    });
    assertTrace("ada late late ada36");
  }

  @Test
  void run_noChildren_isNoSuspensionPoint() {
    scheduler.spawn(() -> {
      TaskGroup<Object> group = scheduler.newGroup("g");
      group.run(() -> trace("block"));
      trace("left");
      assertEquals(List.of(), group.results());
    });
    scheduler.spawn(() -> trace("other"));
    scheduler.start();
    assertTrace("block left other");
  }

  @Test
  void spawn_fromAChild_isAwaitedToo() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      group.run(() ->
          group.spawn(() -> {
            turns(1);
            group.spawn(() -> {
              group.spawn(() -> after(2, "grandchild"));
              return after(0, "child");
            });
            return after(0, "first");
          }));
      trace("left");
      assertEquals(List.of("first", "child", "grandchild"), group.results());
    });
    assertTrace("first child grandchild left");
  }

  @Test
  void run_ownerScheduledMeanwhile_keepsWaiting() {
    Task<Void> owner =
        scheduler.spawn(() -> {
          TaskGroup<Object> group = scheduler.newGroup("g");
          group.run(() -> group.spawn("child", () -> hang("child")));
          trace("left");
        });
    drive();
    scheduler.scheduleTask(owner, "nonsense");
    drive();
    assertEquals(TaskState.WAITING, owner.taskState());
    TaskInfo info =
        scheduler.tasks().stream().filter(task -> task.id() == owner.id()).findFirst().get();
    assertEquals("the end of group 'g' (1 left)", info.waitingFor());
    assertEquals("child", info.holder());
    owner.cancel("enough");
    scheduler.start();
    assertTrace("child-ended");
  }

  // A failure.

  @Test
  void childFails_siblingsAndBlockAreCancelledAndAwaited() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      var told =
          assertThrows(
              TaskFailedException.class,
              () ->
                  group.call(() -> {
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
                  }));
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
            group.call(() -> {
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
      assertThrows(
          TaskFailedException.class,
          () ->
              group.run(() -> {
                group.spawn(() -> failAfter(0, "oops"));
                group.spawn(() -> after(0, "not reached"));
                group.spawnSteps("steps", self -> self.done(after(0, "not reached")));
              }));
    });
    assertTrace("oops");
  }

  @Test
  void stepChildFails_siblingsAreCancelled() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      var told =
          assertThrows(
              TaskFailedException.class,
              () ->
                  group.run(() -> {
                    group.spawn(() -> hang("sibling"));
                    group.spawnSteps(
                        "steps",
                        self -> {
                          throw new IOException("step");
                        });
                  }));
      assertTrue(told.getMessage().startsWith("task 'steps' failed"));
    });
    assertTrace("sibling-ended");
  }

  @Test
  void severalFail_firstInTimeIsPrimaryOthersSuppressed() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      var told =
          assertThrows(
              TaskFailedException.class,
              () ->
                  group.call(() -> {
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
                  }));
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
              () -> group.call(() -> group.spawn("bad", () -> failAfter(1, "oops")).join()));
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
          assertThrows(
              TaskFailedException.class,
              () ->
                  group.call(() -> {
                    Task<String> waiting = group.spawn(() -> hang("waiting"));
                    group.spawn("bad", () -> failAfter(1, "oops"));
                    return assertThrows(TaskCancelled.class, waiting::join).reason();
                  }));
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

  // Other policies.

  @Test
  void collect_failures_siblingsGoOnAndAllAreThrownAtTheEnd() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g", COLLECT);
      var told =
          assertThrows(
              TaskFailedException.class,
              () ->
                  group.run(() -> {
                    group.spawn("a", () -> failAfter(2, "a"));
                    group.spawn("b", () -> failAfter(1, "b"));
                    group.spawn("c", () -> after(4, "c"));
                  }));
      assertEquals("task 'b' failed: java.io.IOException: b", told.getMessage());
      assertEquals("task 'a' failed: java.io.IOException: a", told.getSuppressed()[0].getMessage());
      assertFalse(group.isCancelled());
      assertEquals(
          List.of(TaskState.FAILED, TaskState.FAILED, TaskState.SUCCEEDED),
          group.outcomes().stream().map(Outcome::state).toList());
      assertTrue(
          assertThrows(TaskFailedException.class, group::results).getMessage().contains("'a'"));
    });
    assertTrace("b a c");
  }

  @Test
  void firstSuccess_othersAreCancelledAndAwaited() {
    runTask(() -> {
      TaskGroup<String> race = scheduler.newGroup("race", FIRST_SUCCESS);
      race.run(() -> {
        race.spawn(() -> failAfter(0, "bad"));
        race.spawn(() -> hangAndCleanUp("a"));
        race.spawn("quick", () -> after(2, "quick"));
        race.spawn(() -> hang("c"));
        hang("block");
      });
      trace("left");
      assertEquals("quick", race.first());
      assertTrue(race.isCancelled());
    });
    assertTrace("bad quick block-ended c-ended a-cleaned left");
  }

  @Test
  void firstSuccess_none_failuresAreThrown() {
    runTask(() -> {
      TaskGroup<String> race = scheduler.newGroup("race", FIRST_SUCCESS);
      var told =
          assertThrows(
              TaskFailedException.class,
              () ->
                  race.run(() -> {
                    race.spawn("a", () -> failAfter(1, "a"));
                    race.spawn("b", () -> failAfter(0, "b"));
                  }));
      assertTrue(told.getMessage().contains("'b'"));
      assertTrue(told.getSuppressed()[0].getMessage().contains("'a'"));
      assertThrows(NoSuchElementException.class, race::first);
    });
    assertTrace("b a");
  }

  @Test
  void firstSuccess_nullIsASuccess() {
    runTask(() -> {
      TaskGroup<@Nullable String> race = scheduler.newGroup("race", FIRST_SUCCESS);
      race.run(() -> race.spawn(() -> null));
      assertNull(race.first());
    });
  }

  @Test
  void firstSuccess_failureWhileCleaningUp_isReported() {
    runTask(() -> {
      TaskGroup<String> race = scheduler.newGroup("race", FIRST_SUCCESS);
      race.run(() -> {
        race.spawn(
            "loser",
            () -> {
              try {
                return hang("loser");
              } finally {
                failAfter(0, "cleanup");
              }
            });
        race.spawn(() -> after(1, "quick"));
      });
      assertEquals("quick", race.first());
    });
    assertTrace("quick loser-ended cleanup");
    assertEquals("task 'loser'", takeReported().getFirst().where());
  }

  @Test
  void firstSuccess_blockCutShort_callHasNoResult() {
    runTask(() -> {
      TaskGroup<String> race = scheduler.newGroup("race", FIRST_SUCCESS);
      var told =
          assertThrows(
              CancellationException.class,
              () ->
                  race.call(() -> {
                    race.spawn("quick", () -> after(1, "quick"));
                    return scheduler.suspend();
                  }));
      assertEquals(
          "group 'race' was cancelled by task 'quick': task 'quick' has succeeded",
          told.getMessage());
      assertEquals("quick", race.first());
    });
    assertTrace("quick");
  }

  @Test
  void supervise_childFails_isItsOwnAffair() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g", SUPERVISE);
      group.run(() -> {
        group.spawn("bad", () -> failAfter(0, "reported"));
        Task<String> joined = group.spawn(() -> failAfter(2, "joined"));
        group.spawn(() -> after(4, "sibling"));
        assertThrows(TaskFailedException.class, joined::join);
      });
      assertThrows(IllegalStateException.class, group::results);
      var told = assertThrows(IllegalStateException.class, group::outcomes);
      assertEquals(
          "outcomes of group 'g': a supervisor keeps none; keep the tasks that spawn(..) returns",
          told.getMessage());
    });
    assertTrace("reported joined sibling");
    assertEquals(List.of("task 'bad'"), takeReported().stream().map(Reported::where).toList());
  }

  @Test
  void supervise_blockThrows_childrenAreCancelledAllTheSame() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g", SUPERVISE);
      assertThrows(
          ArithmeticException.class,
          () ->
              group.run(() -> {
                group.spawn(() -> hang("child"));
                turns(1);
                throw new ArithmeticException();
              }));
    });
    assertTrace("child-ended");
  }

  // Cancelling.

  @Test
  void cancel_childrenAndBlock_youngestFirstRunReturns() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      group.run(() -> {
        group.spawn(() -> hang("a"));
        group.spawn(() -> hang("b"));
        group.spawn(
            "stopper",
            () -> {
              turns(1);
              assertTrue(group.cancel("enough"));
              assertFalse(group.cancel("again"));
              return after(0, "stopper");
            });
        hang("block");
      });
      trace("left");
      assertFalse(group.cancel("late"));
    });
    assertTrace("stopper block-ended b-ended a-ended left");
  }

  @Test
  void cancel_blockHasReturned_itsValueCounts() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      String value =
          group.call(() -> {
            group.spawn(() -> hang("a"));
            group.spawn(() -> {
              turns(1);
              group.cancel("enough");
            });
            return "value";
          });
      trace(value);
    });
    assertTrace("a-ended value");
  }

  @Test
  void cancel_blockCutShort_callThrows() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      var told =
          assertThrows(
              CancellationException.class,
              () ->
                  group.call(() -> {
                    group.cancel("enough");
                    return scheduler.suspend();
                  }));
      assertEquals("group 'g' was cancelled by task 'main': enough", told.getMessage());
    });
  }

  @Test
  void spawn_intoACancelledGroup_neverRuns() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      group.run(() -> {
        group.cancel("enough");
        assertTrue(group.spawn(() -> after(0, "not reached")).isCancelled());
        assertTrue(group.spawnSteps("s", self -> self.done(after(0, "nor this"))).isCancelled());
      });
      assertEquals(2, group.outcomes().size());
    });
  }

  @Test
  void ownerCancelled_inTheBlock_childrenAreCancelledAndAwaited() {
    Task<Void> owner =
        scheduler.spawn(
            "owner",
            () -> {
              TaskGroup<String> group = scheduler.newGroup("g");
              try {
                group.run(() -> {
                  group.spawn(
                      "a",
                      () -> {
                        try {
                          return hangAndCleanUp("a");
                        } catch (TaskCancelled e) {
                          trace(e.reason());
                          throw e;
                        }
                      });
                  scheduler.suspend();
                });
              } finally {
                trace("left");
              }
            });
    drive();
    owner.cancel("why");
    scheduler.start();
    assertTrue(owner.isCancelled());
    assertTrace(
        "a-cleaned its owner was told that task 'owner' was cancelled by test-loop: why left");
  }

  @Test
  void ownerCancelled_whileItWaitsForChildren_theyAreCancelledAndAwaited() {
    Task<Void> owner =
        scheduler.spawn(() -> {
          TaskGroup<String> group = scheduler.newGroup("g");
          group.run(() -> {
            group.spawn(() -> hangAndCleanUp("a"));
            group.spawn(() -> {
              try {
                return hang("b");
              } finally {
                failAfter(0, "b-cleanup");
              }
            });
          });
        });
    drive();
    owner.cancel("why");
    scheduler.start();
    assertTrue(owner.isCancelled());
    TaskCancelled told = assertInstanceOf(Outcome.Cancelled.class, owner.outcome()).cause();
    assertEquals("java.io.IOException: b-cleanup", told.getSuppressed()[0].getCause().toString());
    assertTrace("b-ended b-cleanup a-cleaned");
  }

  @Test
  void ownerCancelledAgain_whileChildrenCleanUp_stillWaits() {
    Task<Void> owner =
        scheduler.spawn(() -> {
          TaskGroup<String> group = scheduler.newGroup("g");
          try {
            group.run(() -> {
              group.spawn(() -> hangAndCleanUp("a"));
              turns(1);
              throw new IOException("block");
            });
          } finally {
            trace("left");
          }
        });
    scheduler.step();
    scheduler.step();
    scheduler.step();
    owner.cancel("why");
    scheduler.start();
    assertTrace("a-cleaned left");
    assertEquals("block", takeReported().getFirst().failure().getMessage());
  }

  @Test
  void within_aroundAGroup_isItsDeadline() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      assertThrows(
          TimeoutException.class,
          () ->
              scheduler.within(
                  SECOND,
                  () -> {
                    group.run(() -> {
                      group.spawn(() -> hangAndCleanUp("a"));
                      group.spawn(() -> after(1, "b"));
                    });
                    return null;
                  }));
      trace(time.elapsed().toSeconds());
      assertTrue(group.isCancelled());
    });
    assertTrace("b a-cleaned 2");
  }

  @Test
  void nested_innerFailure_staysInTheInnerGroupIfItIsCaught() {
    runTask(() -> {
      TaskGroup<String> outer = scheduler.newGroup("outer");
      outer.run(() -> {
        outer.spawn(() -> after(6, "sibling"));
        outer.spawn(() -> {
          TaskGroup<String> inner = scheduler.newGroup("inner");
          assertThrows(
              TaskFailedException.class,
              () ->
                  inner.run(() -> {
                    inner.spawn(() -> hang("cousin"));
                    inner.spawn(() -> failAfter(1, "oops"));
                  }));
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
          assertThrows(
              TaskFailedException.class,
              () ->
                  outer.run(() -> {
                    outer.spawn(() -> {
                      TaskGroup<String> inner = scheduler.newGroup("inner");
                      try {
                        inner.run(() -> inner.spawn(() -> hangAndCleanUp("innermost")));
                      } finally {
                        trace("inner-left");
                      }
                    });
                    outer.spawn("bad", () -> failAfter(2, "oops"));
                  }));
      assertTrue(told.getMessage().contains("'bad'"));
      assertEquals(0, told.getSuppressed().length);
    });
    assertTrace("oops innermost-cleaned inner-left");
  }

  @Test
  void close_ofTheScheduler_leavesNobody() {
    Scheduler own = newScheduler();
    own.spawn(() -> {
      TaskGroup<String> group = own.newGroup("g");
      try {
        group.run(() -> {
          group.spawn(() -> {
            try {
              return String.valueOf(own.suspend());
            } finally {
              trace("child");
              assertThrows(IllegalStateException.class, () -> group.spawn(() -> "late"));
            }
          });
        });
      } finally {
        trace("owner");
      }
    });
    own.step();
    own.step();
    own.close();
    assertTrace("child owner");
  }

  // Wrong uses.

  @Test
  void spawn_notOpen_isRefusedAndSaysWhen() {
    TaskGroup<String> group = scheduler.newGroup("g");
    assertEquals(
        "group 'g' is not open yet: spawn within its run(..) or call(..)",
        assertThrows(IllegalStateException.class, () -> group.spawn(() -> "x")).getMessage());
    runTask(() -> group.run(() -> {}));
    assertEquals(
        "group 'g' is closed: all its tasks have ended, and it takes no new ones",
        assertThrows(IllegalStateException.class, () -> group.spawn(() -> "x")).getMessage());
  }

  @Test
  void run_twiceOrOutsideOfATask_isRefused() {
    TaskGroup<String> group = scheduler.newGroup("g");
    assertThrows(IllegalStateException.class, () -> group.run(() -> {}));
    runTask(() -> {
      group.run(() -> {
        var told = assertThrows(IllegalStateException.class, () -> group.run(() -> {}));
        assertEquals(
            "group 'g' was used before; make a new one with newGroup(..)", told.getMessage());
      });
      assertThrows(IllegalStateException.class, () -> group.run(() -> {}));
    });
  }

  @Test
  void results_beforeTheEnd_areRefused() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      group.run(() ->
          assertEquals(
              "results of group 'g' before its end: ask after run(..) or call(..), or join the"
                  + " tasks",
              assertThrows(IllegalStateException.class, group::results).getMessage()));
      assertThrows(IllegalStateException.class, group::first);
    });
  }

  @Test
  void fromAnotherThread_isRefused() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g");
      group.run(() ->
          elsewhere(() -> {
            assertThrows(WrongThreadException.class, () -> group.spawn(() -> "x"));
            assertThrows(WrongThreadException.class, () -> group.cancel("x"));
            return assertThrows(WrongThreadException.class, group::results);
          }));
    });
  }

  @Test
  void supervise_manyChildren_areForgotten() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g", SUPERVISE);
      var handles = new ArrayList<Task<String>>();
      group.run(() -> {
        for (int i = 0; i < 3; i++) {
          handles.add(group.spawn(() -> "x"));
        }
        turns(1);
        assertEquals("group 'g'", group.toString());
      });
      handles.forEach(each -> assertNull(each.group));
    });
  }
}
