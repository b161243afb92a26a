package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// Cancelling a stackful task in every state it can be in: docs/inside/semantics.md, rule 13.
class CancelTest extends SchedulerTest {

  /// A task that reports how it ended.
  private Task<String> victim(TaskAction<?> body) {
    return scheduler.newTask(
        "victim",
        () -> {
          try {
            body.run();
            trace("returned");
            return "value";
          } catch (TaskCancelled e) {
            trace("told:" + e.reason());
            throw e;
          } finally {
            trace("finally");
          }
        });
  }

  private static void assertCancelled(Task<?> task) {
    assertEquals(TaskState.CANCELLED, task.taskState());
    assertTrue(task.isDone());
    assertTrue(task.isCancelled());
    assertThrows(CancellationException.class, task::join);
  }

  @Test
  void cancel_newNeverScheduled_neverRuns() {
    Task<String> task = victim(() -> {});
    assertTrue(task.cancel("why"));
    assertCancelled(task);
    assertFalse(scheduler.scheduleTask(task));
    drive();
    assertTrace("");
  }

  @Test
  void cancel_readyNeverRan_neverRuns() {
    Task<String> task = victim(() -> {});
    scheduler.scheduleTask(task);
    assertTrue(task.cancel("why"));
    assertCancelled(task);
    assertFalse(scheduler.step());
    assertTrace("");
  }

  @Test
  void cancel_waitingNeverRan_neverRunsAndLeavesTheWaitable() {
    var signal = new WaitQueueEvent();
    Task<String> task = victim(() -> {});
    assertTrue(scheduler.queue().scheduleOn(task, signal));
    assertEquals(1, signal.waiters());
    assertTrue(task.cancel("why"));
    assertCancelled(task);
    assertEquals(0, signal.waiters());
    scheduler.start();
    assertTrace("");
  }

  @Test
  void cancel_readyAfterYield_toldAtThatYield() {
    Task<String> task = victim(scheduler::yield);
    scheduler.scheduleTask(task);
    scheduler.step();
    assertEquals(TaskState.READY, task.taskState());
    assertTrue(task.cancel("why"));
    assertEquals(TaskState.READY, task.taskState());
    scheduler.start();
    assertTrace("told:why finally");
    assertCancelled(task);
  }

  @Test
  void cancel_waiting_toldAndDisarmedAtOnce() {
    var signal = new WaitQueueEvent();
    Task<String> task = victim(() -> scheduler.await(signal));
    scheduler.scheduleTask(task);
    drive();
    assertTrue(task.cancel("why"));
    assertEquals(0, signal.waiters());
    assertEquals(0, signal.fireAll("late"));
    scheduler.start();
    assertTrace("told:why finally");
    assertCancelled(task);
  }

  @Test
  void cancel_suspended_told() {
    Task<String> task = victim(scheduler::suspend);
    scheduler.scheduleTask(task);
    drive();
    assertEquals(TaskState.SUSPENDED, task.taskState());
    assertTrue(task.cancel("why"));
    scheduler.start();
    assertTrace("told:why finally");
    assertCancelled(task);
  }

  @Test
  void cancel_idling_endsWithoutATurn() {
    var task = scheduler.host().<Void>spawnSteps("idling", StepTask::idle);
    drive();
    assertEquals(TaskState.IDLING, task.taskState());
    assertTrue(task.cancel("why"));
    assertEquals(TaskState.CANCELLED, task.taskState());
  }

  @Test
  void cancel_halted_toldWhenRunAgain() {
    Task<String> task = victim(() -> scheduler.halt(null));
    scheduler.scheduleTask(task);
    scheduler.start();
    assertTrue(task.cancel("why"));
    scheduler.start();
    assertTrace("told:why finally");
    assertCancelled(task);
  }

  @Test
  void cancel_self_toldAtTheNextSuspensionPoint() {
    Task<String> task =
        victim(() -> {
          assertTrue(scheduler.currentTask().cancel("myself"));
          trace("going on");
          scheduler.yield();
        });
    scheduler.scheduleTask(task);
    scheduler.start();
    assertTrace("going on told:myself finally");
    assertCancelled(task);
  }

  @Test
  void cancel_selfThenReturn_succeeds() {
    Task<String> task = victim(() -> scheduler.currentTask().cancel("myself"));
    scheduler.scheduleTask(task);
    scheduler.start();
    assertTrace("returned finally");
    assertEquals("value", task.join());
  }

  @Test
  void cancel_selfWhileAWaitIsBeingPrepared_thatWaitIsTold() {
    var signal = new WaitQueueEvent();
    Task<String> task =
        victim(() ->
            scheduler.await(
                Waitable.guard(() -> {
                  scheduler.currentTask().cancel("in guard");
                  return signal;
                })));
    scheduler.scheduleTask(task);
    scheduler.start();
    assertTrace("told:in guard finally");
    assertEquals(0, signal.waiters());
    assertCancelled(task);
  }

  @Test
  void cancel_done_isRefusedAndChangesNothing() {
    Task<Integer> task = scheduler.spawn(() -> 7);
    scheduler.start();
    assertFalse(task.cancel("late"));
    assertEquals(7, task.join());
    assertFalse(task.isCancelled());
  }

  @Test
  void cancel_twice_firstReasonStands() {
    Task<String> task = victim(scheduler::suspend);
    scheduler.scheduleTask(task);
    drive();
    assertTrue(task.cancel("first"));
    assertFalse(task.cancel("second"));
    scheduler.start();
    assertTrace("told:first finally");
  }

  @Test
  void cancel_ignored_isToldAgainAtEverySuspensionPoint() {
    var signal = new WaitQueueEvent();
    Task<String> task =
        victim(() -> {
          for (TaskAction<?> point :
              new TaskAction<?>[] {
                scheduler::suspend,
                scheduler::yield,
                () -> scheduler.yield("v"),
                () -> scheduler.await(signal),
                () -> scheduler.await(Waitable.always(1)),
                () -> scheduler.halt(null)
              }) {
            trace(assertThrows(TaskCancelled.class, point::run).reason());
          }
          assertThrows(TaskCancelled.class, () -> scheduler.blocking(() -> 1));
        });
    scheduler.scheduleTask(task);
    drive();
    task.cancel("x");
    scheduler.start();
    assertTrace("x x x x x x returned finally");
    assertEquals("value", task.join());
    assertEquals(0, signal.waiters());
  }

  @Test
  void cancel_ignoredInALoop_letsOthersRun() {
    boolean[] enough = new boolean[1];
    Task<Void> task =
        scheduler.spawn(() -> {
          while (!enough[0]) {
            try {
              scheduler.suspend();
            } catch (TaskCancelled e) {
              // cancelled again and again
            }
          }
        });
    drive();
    task.cancel("why");
    scheduler.spawn(() -> enough[0] = true);
    scheduler.start();
    assertTrue(task.isDone());
  }

  @Test
  void cancel_betweenCommitAndResume_valueIsDelivered() {
    var permits = new Permits();
    Task<String> task =
        victim(() -> {
          trace("got" + scheduler.await(permits));
          scheduler.yield();
        });
    scheduler.scheduleTask(task);
    drive();
    permits.release();
    assertEquals(TaskState.READY, task.taskState());
    assertTrue(task.cancel("why"));
    scheduler.start();
    assertTrace("got1 told:why finally");
    assertEquals(0, permits.available());
  }

  @Test
  void cancel_unscheduledBetweenCommitAndResume_valueIsDelivered() {
    var permits = new Permits();
    Task<String> task =
        victim(() -> {
          trace("got" + scheduler.await(permits));
          scheduler.yield();
        });
    scheduler.scheduleTask(task);
    drive();
    permits.release();
    scheduler.queue().unschedule(task);
    task.cancel("why");
    scheduler.start();
    assertTrace("got1 told:why finally");
  }

  @Test
  void cancel_exceptionTellsWhoWhyAndWhere() {
    Task<String> task = victim(scheduler::suspend);
    scheduler.scheduleTask(task);
    drive();
    scheduler.spawn("canceller", () -> task.cancel("because"));
    scheduler.start();
    assertTrace("told:because finally");
    var told = assertInstanceOf(Outcome.Cancelled.class, task.outcome()).cause();
    assertEquals("because", told.reason());
    assertTrue(told.canceller().contains("canceller"), told.canceller());
    assertTrue(told.getMessage().contains("task 'victim' was cancelled by"), told.getMessage());
    assertTrue(shows(told.getCause(), CancelTest.class), "the cause shows the site");
    assertTrue(shows(told, CancelTest.class), "the trace shows the wait");
    var joined = assertThrows(CancellationException.class, task::join);
    assertEquals(told, joined.getCause());
  }

  static boolean shows(Throwable thrown, Class<?> type) {
    for (StackTraceElement frame : thrown.getStackTrace()) {
      if (frame.getClassName().equals(type.getName())) {
        return true;
      }
    }
    return false;
  }

  @Test
  void cancel_taskWaitsInFinally_throwsThereToo() {
    Task<Void> task =
        scheduler.spawn(() -> {
          try {
            scheduler.suspend();
          } finally {
            assertThrows(TaskCancelled.class, scheduler::yield);
            trace("cleaned");
          }
        });
    drive();
    task.cancel("why");
    scheduler.start();
    assertTrace("cleaned");
    assertTrue(task.isCancelled());
  }

  @Test
  void cancel_bodyThrowsSomethingElse_failsWithThat() {
    Task<Void> task =
        scheduler.spawn(() -> {
          try {
            scheduler.suspend();
          } finally {
            cleanUpBadly();
          }
        });
    drive();
    task.cancel("why");
    scheduler.start();
    assertEquals(TaskState.FAILED, task.taskState());
    assertEquals("bad cleanup", takeReported().getFirst().failure().getMessage());
  }

  private static void cleanUpBadly() {
    throw new IllegalStateException("bad cleanup");
  }

  @Test
  void cancel_fromAnotherThread_happensAMomentLater() throws Exception {
    Task<String> task = victim(scheduler::suspend);
    scheduler.scheduleTask(task);
    drive();
    assertTrue(elsewhere(() -> task.cancel("from afar")));
    scheduler.start();
    assertTrace("told:from afar finally");
    var told = assertInstanceOf(Outcome.Cancelled.class, task.outcome()).cause();
    assertEquals("thread 'elsewhere'", told.canceller());
    assertFalse(elsewhere(() -> task.cancel("late")));
  }

  @Test
  void cancel_asFuture_cancels() {
    Task<String> task = victim(scheduler::suspend);
    scheduler.scheduleTask(task);
    drive();
    assertTrue(task.cancel(true));
    scheduler.start();
    assertTrace("told:Future.cancel finally");
    assertCancelled(task);
  }

  @Test
  void cancel_joiner_doesNotCancelTheJoined() {
    Task<String> task = victim(scheduler::suspend);
    scheduler.scheduleTask(task);
    Task<String> joiner = scheduler.spawn("joiner", task::join);
    drive();
    joiner.cancel("why");
    drive();
    assertTrue(joiner.isCancelled());
    assertEquals(TaskState.SUSPENDED, task.taskState());
    scheduler.scheduleTask(task);
    scheduler.start();
    assertTrace("returned finally");
  }

  @Test
  void checkpoint_cancelled_isTold() {
    Task<Void> task =
        scheduler.spawn(() -> {
          scheduler.currentTask().cancel("test");
          trace("on");
          scheduler.checkpoint();
          trace("never");
        });
    scheduler.start();
    assertTrue(task.isCancelled());
    assertTrace("on");
  }

  @Test
  void checkpoint_manyInATurn_givesWayNowAndThen() {
    scheduler.spawn(() -> {
      for (int i = 0; i < 1_000; i++) {
        scheduler.checkpoint();
      }
      trace("done");
    });
    scheduler.spawn(() -> trace("other"));
    scheduler.start();
    assertTrace("other done");
  }

  @Test
  void checkpoint_outsideOfATask_saysSo() {
    var refused = assertThrows(IllegalStateException.class, () -> scheduler.checkpoint());
    assertTrue(refused.getMessage().startsWith("checkpoint outside of a task"));
  }
}
