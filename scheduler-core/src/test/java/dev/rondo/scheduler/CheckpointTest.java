package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.scheduler.internal.rooms.TaskControl;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// Checkpoints after the first of a turn: that a task has passed one says little about the next.
class CheckpointTest extends SchedulerTest {

  private void pass() {
    scheduler.checkpoint();
    scheduler.checkpoint();
  }

  private void assertRefused(String place) {
    var refused = assertThrows(IllegalStateException.class, scheduler::checkpoint);
    assertTrue(refused.getMessage().startsWith("checkpoint " + place), refused.getMessage());
  }

  @Test
  void checkpoint_cancelledSinceTheLast_isTold() {
    Task<Void> task =
        scheduler.spawn(() -> {
          pass();
          scheduler.currentTask().cancel("test");
          assertThrows(TaskCancelled.class, scheduler::checkpoint);
          assertThrows(TaskCancelled.class, scheduler::checkpoint);
        });
    scheduler.start();
    assertTrue(task.isDone());
  }

  @Test
  void checkpoint_scopeCancelledSinceTheLast_isTold_andPassesOutsideOfIt() {
    runTask(() -> {
      CancelScope scope = scheduler.newScope("s");
      assertThrows(
          CancellationException.class,
          () ->
              scope.run(() -> {
                pass();
                scope.cancel("why");
                scheduler.checkpoint();
              }));
      pass();
      trace("outside");
    });
    assertTrace("outside");
  }

  @Test
  void checkpoint_shieldedAndThenNot_isTold() {
    runTask(() -> {
      CancelScope outer = scheduler.newScope("outer");
      assertThrows(
          CancellationException.class,
          () ->
              outer.run(() -> {
                scheduler.shielded(() -> {
                  outer.cancel("why");
                  pass();
                });
                scheduler.checkpoint();
              }));
    });
  }

  @Test
  void checkpoint_manyBetweenWaits_shareTheBudgetOfTheTurn() {
    scheduler.spawn(() -> {
      int passed = 0;
      while (passed < 1_000) {
        pass();
        scheduler.await(Waitable.always("now"));
        passed += 3;
      }
      trace("done");
    });
    scheduler.spawn(() -> {
      for (int i = 0; i < 5; i++) {
        trace(i);
        scheduler.yield();
      }
    });
    scheduler.start();
    assertTrace("0 1 2 3 4 done"); // 1,002 operations are 7 turns at 128 each
  }

  @Test
  void checkpoint_inCodeThatMustNotSuspend_isRefused_andThePlaceAroundItIsNot() {
    runTask(() -> {
      pass();
      TaskControl.of(scheduler.host())
          .withoutTask(() -> {
            assertRefused("in code that must not suspend");
            return "";
          });
      pass();
    });
  }

  @Test
  void checkpoint_ofTheOuterScheduler_insideAnInnerTask_isRefused() {
    runTask(() -> {
      pass();
      try (Scheduler inner =
          Thread.currentThread().isVirtual()
              ? Scheduler.builder().backend(CoroutineBackends.handoff()).build()
              : newScheduler()) {
        inner.spawn(() -> {
          inner.checkpoint();
          assertThrows(RuntimeException.class, scheduler::checkpoint);
          inner.checkpoint();
          trace("refused");
        });
        inner.start();
      }
      pass();
    });
    assertTrace("refused");
  }

  @Test
  void checkpoint_afterATurnThatPassed_isRefusedWhereThereIsNoStack() {
    scheduler.spawn(() -> {
      pass();
      scheduler.post(() -> assertRefused("outside of a task"));
      scheduler.yield();
      trace("posted");
      pass();
    });
    scheduler.start();
    assertRefused("outside of a task");
    StepTask<Void> steps =
        scheduler
            .host()
            .spawnSteps(
                "steps",
                self -> { // in the place of the task that ended
                  assertRefused("in step task 'steps'");
                  return StepResult.DONE;
                });
    scheduler.start();
    steps.join();
    assertTrace("posted");
  }

  @Test
  void checkpoint_onAnotherThread_isRefused() {
    runTask(() -> {
      pass();
      assertThrows(
          WrongThreadException.class,
          () ->
              elsewhere(() -> {
                scheduler.checkpoint();
                return "";
              }));
      pass();
    });
  }

  @Test
  void checkpoint_ofATaskThatCannotGiveWaySinceTheLast_isRefusedWhenDebugging() {
    assumeTrue(backend.sharesThread());
    try (Scheduler debugging = configured().debug().build()) {
      Task<Void> task =
          debugging.spawn(() -> {
            debugging.checkpoint();
            debugging.checkpoint();
            synchronized (this) {
              assertThrows(IllegalStateException.class, debugging::checkpoint);
            }
          });
      debugging.start();
      task.join();
    }
  }
}
