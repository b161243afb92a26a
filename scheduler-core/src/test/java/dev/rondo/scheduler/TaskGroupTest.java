package dev.rondo.scheduler;

import static dev.rondo.scheduler.TaskGroup.Policy.SUPERVISE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.engine.Inside;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// Tasks that end with the block that started them.
class TaskGroupTest extends GroupFixture {

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
                return StepResult.AGAIN;
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
          group.run(() -> {
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
  void run_lastChildEndsWhileTheOwnerIsAboutToWait_isNotMissed() {
    runTask(() -> {
      TaskGroup<Object> group = scheduler.newGroup("g");
      group.run(() -> {
        group.spawn(() -> trace("child"));
        while (!Inside.isTurnSpent(scheduler.currentTask())) {
          scheduler.checkpoint();
        }
        // the wait for the child yields before it checks
      });
      trace("left");
    });
    assertTrace("child left");
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

  // Cancelling.

  @Test
  void cancel_amongManyThatHaveEnded_reachesTheOthersYoungestFirst() {
    List<Integer> ended = new ArrayList<>();
    runTask(() -> {
      TaskGroup<Object> group = scheduler.newGroup("g", SUPERVISE);
      group.run(() -> {
        for (int i = 0; i < 1_000; i++) {
          int number = i;
          group.spawn(() -> {
            if (number % 100 == 7) {
              try {
                scheduler.suspend();
              } finally {
                ended.add(number);
              }
            }
          });
          if (i % 10 == 0) {
            scheduler.yield(); // the others end, and leave gaps
          }
        }
        turns(2);
        assertEquals("group 'g' (10 left)", group.toString());
        assertTrue(group.cancel("enough"));
      });
      assertEquals("group 'g'", group.toString());
    });
    assertEquals(List.of(907, 807, 707, 607, 507, 407, 307, 207, 107, 7), ended);
  }

  @Test
  void cancel_whileAChildJoinsOneThatHasNotBegun_noneHasFailed() {
    runTask(() -> {
      TaskGroup<Object> group = scheduler.newGroup("g");
      List<Task<?>> children = new ArrayList<>();
      group.run(() -> {
        children.add(
            group.spawn(
                "joining",
                () -> {
                  Task<Object> joined = group.spawn("joined", () -> 7);
                  children.add(joined);
                  return joined.join();
                }));
        group.spawn(() -> group.cancel("enough"));
      });
      children.forEach(each -> assertEquals(TaskState.CANCELLED, each.taskState()));
      assertEquals(2, children.size());
    });
  }

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
          group.run(() -> {
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
                  group.run(() -> {
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
        "a-cleaned its owner received: task 'owner' was cancelled by thread 'test-loop': why left");
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
    assertEquals(List.of(told.getSuppressed()[0]), takeFailures());
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
          TimedOutException.class,
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

  // Misuse.

  @Test
  void spawn_notOpen_isRefusedAndSaysWhen() {
    TaskGroup<String> group = scheduler.newGroup("g");
    assertEquals(
        "group 'g' is not open yet: spawn within its run(..)",
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
        assertEquals("group 'g' was used before; make a new one", told.getMessage());
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
              "results of group 'g' before its end: ask after run(..), or join the" + " tasks",
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
      handles.forEach(each -> assertNull(Inside.ownerOf(each)));
    });
  }
}
