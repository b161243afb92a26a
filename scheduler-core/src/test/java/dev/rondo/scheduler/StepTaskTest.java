package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Stackless tasks: the same handle and the same queue.
class StepTaskTest extends SchedulerTest {

  private int turns;

  @Test
  void again_besideStackfulTasks_takesTurnsWithThem() {
    scheduler
        .host()
        .spawnSteps(
            "S",
            self -> {
              trace("S" + ++turns);
              return turns < 3 ? StepResult.AGAIN : self.done(turns);
            });
    scheduler.spawn(() -> {
      for (int i = 1; i <= 3; i++) {
        trace("F" + i);
        scheduler.yield();
      }
    });
    scheduler.start();
    assertTrace("S1 F1 S2 F2 S3 F3");
  }

  @Test
  void done_value_isTheResult() {
    StepTask<String> task = scheduler.host().spawnSteps("S", self -> self.done("result"));
    assertEquals("result", scheduler.step("in"));
    assertEquals("result", task.join());
    assertEquals(TaskState.SUCCEEDED, task.taskState());
  }

  @Test
  void suspend_scheduledWithAValue_receivesIt() {
    StepTask<Object> task =
        scheduler
            .host()
            .spawnSteps(
                "S",
                self -> {
                  Object received = self.received();
                  trace(received);
                  return received == null ? StepResult.SUSPEND : self.done(received);
                });
    drive();
    assertEquals(TaskState.SUSPENDED, task.taskState());
    scheduler.scheduleTask(task, "v");
    scheduler.start();
    assertTrace("null v");
    assertEquals("v", task.join());
  }

  @Test
  void wake_inEveryState_answersWhetherItDid() {
    StepTask<Void> task =
        scheduler
            .host()
            .newStepTask(
                "S",
                self -> {
                  trace(self.wake());
                  return turns++ == 0 ? StepResult.SUSPEND : StepResult.DONE;
                });
    assertTrue(task.wake());
    assertFalse(task.wake());
    drive();
    assertTrue(task.wake());
    scheduler.start();
    assertFalse(task.wake());
    assertTrace("false false");
  }

  @Test
  void await_eventComes_nextTurnReceivesIt() {
    var signal = new WaitQueueEvent();
    StepTask<Void> task = awaiting(signal);
    drive();
    assertEquals(TaskState.WAITING, task.taskState());
    assertEquals(1, signal.waiters());
    signal.fireAll("event");
    scheduler.start();
    assertTrace("event");
  }

  private StepTask<Void> awaiting(Waitable<?> waitable) {
    return scheduler
        .host()
        .spawnSteps(
            "waiter",
            self -> {
              if (turns++ == 0) {
                return self.await(waitable);
              }
              trace(self.received());
              return StepResult.DONE;
            });
  }

  @Test
  void await_there_nextTurnReceivesIt() {
    awaiting(Waitable.always("there"));
    scheduler.start();
    assertTrace("there");
  }

  @Test
  void await_mappedChoice_receivesTheMappedValue() {
    var signal = new WaitQueueEvent();
    Waitable<Object> choice =
        Waitable.anyOf(List.of(Waitable.never(), signal.map(v -> "mapped " + v)));
    awaiting(Waitable.guard(() -> choice));
    drive();
    signal.fireAll("event");
    scheduler.start();
    assertTrace("mapped event");
  }

  @Test
  void await_failed_receivedThrows() {
    var signal = new WaitQueueEvent();
    StepTask<Void> task = awaiting(signal);
    drive();
    signal.failAll(new IOException("broken"));
    scheduler.start();
    assertEquals(TaskState.FAILED, task.taskState());
    assertEquals("broken", takeReported().getFirst().failure().getMessage());
  }

  @Test
  void await_failureNotTaken_isNotThrownLater() {
    var signal = new WaitQueueEvent();
    scheduler
        .host()
        .spawnSteps(
            "S",
            self -> {
              return switch (turns++) {
                case 0 -> self.await(signal);
                case 1 -> StepResult.AGAIN;
                default -> {
                  trace(self.received());
                  yield StepResult.DONE;
                }
              };
            });
    drive();
    signal.failAll(new IOException("ignored"));
    scheduler.start();
    assertTrace("null");
  }

  @Test
  void await_firedInItsOwnTurn_runsAgainWithTheValue() {
    var signal = new WaitQueueEvent();
    scheduler
        .host()
        .spawnSteps(
            "S",
            self -> {
              if (turns++ == 0) {
                StepResult answer = self.await(signal);
                assertEquals(1, signal.fireAll("own turn"));
                return answer;
              }
              trace(self.received());
              return StepResult.DONE;
            });
    scheduler.start();
    assertTrace("own turn");
  }

  @Test
  void await_answeredOtherwise_leavesNothing() {
    var signal = new WaitQueueEvent();
    scheduler
        .host()
        .spawnSteps(
            "S",
            self -> {
              if (turns++ == 0) {
                self.await(signal);
                return StepResult.AGAIN;
              }
              return StepResult.DONE;
            });
    drive();
    assertEquals(0, signal.waiters());
  }

  @Test
  void await_doneInTheSameTurn_leavesNothing() {
    var signal = new WaitQueueEvent();
    scheduler
        .host()
        .spawnSteps(
            "S",
            self -> {
              self.await(signal);
              return StepResult.DONE;
            });
    scheduler.start();
    assertEquals(0, signal.waiters());
  }

  @Test
  void await_twiceInOneTurn_isRefusedAndLeavesNothing() {
    var first = new WaitQueueEvent();
    var second = new WaitQueueEvent();
    StepTask<Void> task =
        scheduler
            .host()
            .spawnSteps(
                "S",
                self -> {
                  self.await(first);
                  return self.await(second);
                });
    scheduler.start();
    assertEquals(TaskState.FAILED, task.taskState());
    var told = takeReported().getFirst().failure();
    assertInstanceOf(IllegalStateException.class, told);
    assertTrue(told.getMessage().contains("'S'"), told.getMessage());
    assertEquals(0, first.waiters());
    assertEquals(0, second.waiters());
  }

  @Test
  void await_scheduledDirectly_waitEnds() {
    var signal = new WaitQueueEvent();
    StepTask<Void> task = awaiting(signal);
    drive();
    scheduler.scheduleTask(task, "direct");
    assertEquals(0, signal.waiters());
    scheduler.start();
    assertTrace("direct");
  }

  @Test
  void await_joinFromAStepTask_receivesTheResult() {
    awaiting(scheduler.spawn(() -> 42));
    scheduler.start();
    assertTrace("42");
  }

  @Test
  void received_outsideItsTurn_isRefused() {
    StepTask<Void> task = scheduler.host().newStepTask("S", self -> StepResult.DONE);
    assertThrows(IllegalStateException.class, task::received);
    assertThrows(IllegalStateException.class, () -> task.await(Waitable.never()));
    scheduler.scheduleTask(task);
    scheduler.start();
  }

  @Test
  void received_afterAwait_isRefused() {
    StepTask<Void> task =
        scheduler
            .host()
            .spawnSteps(
                "S",
                self -> {
                  StepResult next = self.await(Waitable.always(turns++));
                  trace(self.received());
                  return turns < 3 ? next : StepResult.DONE;
                });
    scheduler.start();
    assertEquals(TaskState.FAILED, task.taskState());
    var told = takeReported().getFirst().failure();
    assertInstanceOf(IllegalStateException.class, told);
    assertEquals(
        "received() of step task 'S' after await(..): take the value first", told.getMessage());
  }

  @Test
  void await_valueIgnored_goesOn() {
    scheduler
        .host()
        .spawnSteps(
            "S", self -> turns++ < 3 ? self.await(Waitable.always("ignored")) : StepResult.DONE);
    scheduler.start();
    assertEquals(4, turns);
  }

  @Test
  void body_throws_failsAndOthersGoOn() {
    StepTask<Void> task =
        scheduler
            .host()
            .spawnSteps(
                "S",
                self -> {
                  throw new IOException("step");
                });
    scheduler.spawn(() -> trace("other"));
    scheduler.start();
    assertTrace("other");
    assertEquals(TaskState.FAILED, task.taskState());
    assertTrue(takeReported().getFirst().where().contains("'S'"));
  }

  @Test
  void body_answersNull_failsAndOthersGoOn() {
    StepTask<Void> task = scheduler.host().spawnSteps("S", self -> null);
    scheduler.spawn(() -> trace("other"));
    scheduler.start();
    assertTrace("other");
    assertEquals(TaskState.FAILED, task.taskState());
    String told = takeReported().getFirst().failure().getMessage();
    assertTrue(told.contains("'S'"), told);
  }

  // Cancelling, in every state.

  private StepTask<Void> answering(StepResult answer) {
    return scheduler
        .host()
        .spawnSteps("S", self -> answer == StepResult.IDLE ? self.idle() : answer);
  }

  private void assertCancelledAtOnce(Task<?> task) {
    assertTrue(task.cancel("why"));
    assertEquals(TaskState.CANCELLED, task.taskState());
    assertFalse(scheduler.queue().scheduled(task));
    assertFalse(task.cancel("again"));
    scheduler.start();
  }

  @Test
  void cancel_new_endsAtOnce() {
    assertCancelledAtOnce(scheduler.host().newStepTask("S", self -> StepResult.DONE));
  }

  @Test
  void cancel_readyNeverRan_endsAtOnce() {
    assertCancelledAtOnce(answering(StepResult.AGAIN));
  }

  @Test
  void cancel_readyAgain_endsAtOnce() {
    StepTask<Void> task = answering(StepResult.AGAIN);
    scheduler.step();
    assertCancelledAtOnce(task);
  }

  @Test
  void cancel_suspended_endsAtOnce() {
    StepTask<Void> task = answering(StepResult.SUSPEND);
    drive();
    assertCancelledAtOnce(task);
  }

  @Test
  void cancel_idling_endsAtOnce() {
    StepTask<Void> task = answering(StepResult.IDLE);
    drive();
    assertEquals(TaskState.IDLING, task.taskState());
    assertCancelledAtOnce(task);
  }

  @Test
  void cancel_waiting_endsAtOnceAndLeavesNothing() {
    var signal = new WaitQueueEvent();
    StepTask<Void> task = awaiting(signal);
    drive();
    assertCancelledAtOnce(task);
    assertEquals(0, signal.waiters());
  }

  @Test
  void cancel_selfInTurn_endsAfterIt() {
    StepTask<Void> task =
        scheduler
            .host()
            .spawnSteps(
                "S",
                self -> {
                  self.cancel("myself");
                  trace(++turns);
                  return StepResult.AGAIN;
                });
    scheduler.start();
    assertTrace("1");
    assertTrue(task.isCancelled());
  }

  @Test
  void cancel_selfInItsLastTurn_resultCounts() {
    StepTask<String> task =
        scheduler
            .host()
            .spawnSteps(
                "S",
                self -> {
                  self.cancel("myself");
                  return self.done("result");
                });
    scheduler.start();
    assertEquals("result", task.join());
  }

  @Test
  void idle_nonDaemon_keepsTheSchedulerRunningUntilWoken() throws Exception {
    StepTask<Void> task =
        scheduler.host().spawnSteps("S", self -> turns++ == 0 ? self.idle() : StepResult.DONE);
    scheduler.step();
    Thread other = Thread.ofPlatform().start(() -> scheduler.execute(task::wake));
    scheduler.start();
    other.join();
    assertTrue(task.isDone());
  }
}
