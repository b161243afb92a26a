package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.scheduler.internal.rooms.TaskControl;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// A scheduler that runs inside a task of another scheduler.
@BackendsDiffer
class NestingTest extends SchedulerTest {

  /// In a task that runs on a thread of its own only HANDOFF can be nested.
  private Scheduler inner() {
    return Thread.currentThread().isVirtual()
        ? Scheduler.builder().backend(CoroutineBackends.handoff()).build()
        : newScheduler();
  }

  @Test
  void start_insideAnOuterTask_runsAndTheOuterGoesOn() {
    scheduler.spawn(
        "outer task",
        () -> {
          try (Scheduler inner = inner()) {
            inner.spawn(() -> {
              trace("i1");
              assertSame(inner, Scheduler.current());
              inner.yield();
              trace("i2");
            });
            inner.spawn(() -> trace("j1"));
            inner.start();
          }
          assertSame(scheduler, Scheduler.current());
          assertEquals("outer task", scheduler.currentTask().name());
          trace("o1");
          scheduler.yield();
          trace("o2");
        });
    scheduler.start();
    assertTrace("i1 j1 i2 o1 o2");
  }

  @Test
  void outerYield_insideAnInnerTask_isRefused() {
    runTask(() -> {
      try (Scheduler inner = inner()) {
        inner.spawn(() -> {
          assertThrows(RuntimeException.class, scheduler::yield);
          assertThrows(RuntimeException.class, scheduler::suspend);
          assertThrows(RuntimeException.class, () -> scheduler.await(Waitable.always(1)));
          trace("refused");
        });
        inner.start();
      }
      scheduler.yield();
      trace("goes on");
    });
    assertTrace("refused goes on");
  }

  /// On BOUND the inner scheduler has blocked the outer task meanwhile, and others had their turns.
  @Test
  void outerYield_insideAnInnerStepTaskAfterATurn_isRefused() {
    var gives = scheduler.spawn("other", () -> scheduler.yield());
    runTask(() -> {
      try (Scheduler inner = Scheduler.builder().backend(CoroutineBackends.handoff()).build()) {
        inner.spawn(() -> trace("turn"));
        var _ = inner.host().spawnSteps("step", self -> refusesToYield());
        inner.start();
      }
      scheduler.yield();
      trace("goes on");
    });
    assertTrue(gives.isDone());
    assertTrace("turn refused goes on");
  }

  private StepResult refusesToYield() {
    String told = assertThrows(IllegalStateException.class, scheduler::yield).getMessage();
    assertTrue(told.startsWith("yield in code that must not suspend"), told);
    trace("refused");
    return StepResult.DONE;
  }

  /// The call suspends the task, and others have their turns.
  @Test
  void yield_inCodeThatMustNotSuspendAfterACallThatBlocks_isRefused() {
    assumeTrue(backend.mountsOnLoopThread() && !backend.sharesThread(), "BOUND");
    var posted = new CountDownLatch(1);
    runTask(() -> {
      scheduler.post(posted::countDown);
      int done =
          TaskControl.of(scheduler.host())
              .withoutTask(() -> {
                assertDoesNotThrow(() -> posted.await());
                assertThrows(IllegalStateException.class, scheduler::yield);
                return 1;
              });
      assertEquals(1, done);
      scheduler.yield();
      trace("goes on");
    });
    assertTrace("goes on");
  }

  @Test
  void outerOperations_insideAnInnerStepTask_leaveTheOuterIntact() {
    Task<Object> sleeper = scheduler.spawn("sleeper", () -> scheduler.suspend());
    drive();
    scheduler.spawn(
        "outer task",
        () -> {
          Task<?> self = scheduler.currentTask();
          try (Scheduler inner = inner()) {
            inner
                .host()
                .spawnSteps(
                    "step",
                    step -> {
                      assertEquals(TaskState.RUNNING, self.taskState());
                      assertFalse(scheduler.queue().unschedule(self));
                      assertFalse(scheduler.scheduleTask(self));
                      assertTrue(scheduler.queue().scheduleNext(sleeper, "woken from inside"));
                      assertEquals(1, scheduler.tasksPending());
                      return StepResult.DONE;
                    });
            inner.start();
          }
          trace("o1");
          scheduler.yield();
          trace("o2");
        });
    scheduler.start();
    assertTrace("o1 o2");
    assertEquals("woken from inside", sleeper.join());
  }

  @Test
  void outerStepTask_cancelledFromTheInner_endsOnce() {
    assumeFalse(backend.name().equals("BOUND")); // where a step task has a virtual thread
    StepTask<Void> outer =
        scheduler
            .host()
            .spawnSteps(
                "outer",
                self -> {
                  try (Scheduler inner = newScheduler()) {
                    inner
                        .host()
                        .spawnSteps(
                            "inner",
                            step -> {
                              assertTrue(self.cancel("from inside"));
                              return StepResult.DONE;
                            });
                    inner.start();
                  }
                  trace("end of turn");
                  return StepResult.AGAIN;
                });
    outer.trap(Trap.onEnd(outcome -> trace("ended")));
    scheduler.spawn(() -> trace("other"));
    scheduler.start();
    assertTrace("end of turn ended other");
    assertTrue(outer.isCancelled());
  }

  @Test
  void outerStart_insideAnInnerTask_isRefused() {
    runTask(() -> {
      try (Scheduler inner = inner()) {
        inner
            .host()
            .spawnSteps(
                "step",
                self -> {
                  assertThrows(IllegalStateException.class, scheduler::start);
                  trace("refused");
                  return StepResult.DONE;
                });
        inner.start();
      }
    });
    assertTrace("refused");
  }

  /// Code that must not suspend still must not after it has run another scheduler.
  @Test
  void outerYield_afterCodeThatMustNotSuspendHasRunAnother_isRefused() {
    runTask(() -> {
      TaskControl.of(scheduler.host()).withoutTask(() -> runOneAndTryToYield("here"));
      TaskControl.of(scheduler.host()).offStack(() -> runOneAndTryToYield("apart"));
      scheduler.yield();
      trace("goes on");
    });
    assertTrace("here apart goes on");
  }

  private boolean runOneAndTryToYield(String event) {
    try (Scheduler inner = inner()) {
      inner.spawn(() -> trace(event));
      inner.start();
    }
    assertNull(scheduler.currentTask());
    String told = assertThrows(IllegalStateException.class, scheduler::yield).getMessage();
    assertTrue(told.startsWith("yield in code that must not suspend"), told);
    return true;
  }

  @Test
  void innerDeadlock_comesOutInTheOuterTask() {
    runTask(() -> {
      try (Scheduler inner = inner()) {
        inner.spawn(() -> inner.suspend());
        assertThrows(DeadlockException.class, inner::start);
      }
      scheduler.yield();
      trace("goes on");
    });
    assertTrace("goes on");
  }

  @Test
  void awaitOfATask_fromAnotherScheduler_isRefused() {
    Task<Integer> task = scheduler.newTask("t", () -> 1);
    try (Scheduler other = newScheduler()) {
      Task<Object> joiner =
          other.spawn(() -> {
            var told = assertThrows(IllegalStateException.class, () -> other.await(task));
            assertTrue(told.getMessage().contains("another scheduler"), told.getMessage());
            assertThrows(IllegalArgumentException.class, () -> other.scheduleTask(task));
            return null;
          });
      other.start();
      assertTrue(joiner.isDone());
    }
    scheduler.scheduleTask(task);
    scheduler.start();
  }
}
