package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// `scheduleOn` for tasks that have a value or a cancellation to take first.
class ScheduleOnTest extends SchedulerTest {

  private final WaitQueueEvent event = new WaitQueueEvent();

  private Task<Void> suspended() {
    Task<Void> task =
        scheduler.spawn(() -> {
          try {
            trace(scheduler.suspend());
          } catch (TaskCancelled e) {
            trace("cancelled");
            throw e;
          }
        });
    scheduler.step();
    return task;
  }

  @Test
  void scheduleOn_hasReceived_isRefused() {
    Task<Void> task = suspended();
    scheduler.scheduleTask(task, "value");
    assertFalse(scheduler.queue().scheduleOn(task, event));
    assertEquals(0, event.waiters());
    scheduler.start();
    assertTrace("value");
  }

  @Test
  void scheduleOn_whatItWasJustWokenBy_isRefused() {
    Task<Void> task = scheduler.spawn(() -> trace(scheduler.await(event)));
    scheduler.step();
    event.fireAll("value");
    assertFalse(scheduler.queue().scheduleOn(task, event));
    assertEquals(0, event.fireAll("late"));
    scheduler.start();
    assertTrace("value");
  }

  @Test
  void scheduleOn_thenCancelled_leavesTheEvent() {
    Task<Void> task = suspended();
    scheduler.scheduleTask(task);
    scheduler.queue().scheduleOn(task, event);
    task.cancel("test");
    assertEquals(0, event.fireAll("late"));
    assertEquals(1, scheduler.tasksPending());
    scheduler.start();
    assertEquals(0, scheduler.tasksPending());
    assertTrace("cancelled");
  }

  @Test
  void scheduleOn_anotherTaskWasTakenOut_keepsWhatItWasGiven() {
    Task<Void> task = scheduler.spawn(() -> trace(scheduler.await(event)));
    scheduler.step();
    event.fireAll("value");
    assertTrue(scheduler.queue().unschedule(task));
    assertFalse(scheduler.queue().scheduleOn(task, Waitable.never()));
    assertFalse(scheduler.scheduleTask(task, "other"));
    assertFalse(scheduler.queue().scheduleNext(task, "other"));
    assertEquals(TaskState.SUSPENDED, task.taskState());
    assertTrue(scheduler.scheduleTask(task));
    scheduler.start();
    assertTrace("value");
  }

  @Test
  void scheduleOn_hasReceivedAFailure_isRefused() {
    Task<Void> task =
        scheduler.spawn(() ->
            trace(
                assertThrows(IllegalStateException.class, () -> scheduler.await(event))
                    .getMessage()));
    scheduler.step();
    event.failAll(new IllegalStateException("failure"));
    assertFalse(scheduler.queue().scheduleOn(task, Waitable.never()));
    assertTrue(scheduler.queue().unschedule(task));
    assertFalse(scheduler.scheduleTask(task, "value"));
    assertTrue(scheduler.scheduleTask(task));
    scheduler.start();
    assertTrace("failure");
  }

  @Test
  void scheduleOn_newTaskHasReceived_isRefused() {
    Task<Void> task = scheduler.newTask("t", () -> trace(scheduler.received()));
    scheduler.scheduleTask(task, "value");
    assertFalse(scheduler.queue().scheduleOn(task, Waitable.never()));
    scheduler.start();
    assertTrace("value");
  }

  /// What merely observes a state gives nothing that could be lost.
  @Test
  void scheduleOn_wokenByAnObservedState_waitsForTheOther() {
    var state = new WaitQueueEvent();
    Task<Void> task = scheduler.spawn(() -> trace(scheduler.await(state)));
    scheduler.step();
    state.fireAll(null);
    assertTrue(scheduler.queue().scheduleOn(task, event));
    event.fireAll("value");
    scheduler.start();
    assertTrace("value");
  }

  @Test
  void scheduleOn_eventThere_isReadyAtOnce() {
    Task<Void> task = scheduler.newTask("t", () -> trace(scheduler.received()));
    assertTrue(scheduler.queue().scheduleOn(task, pollable("there")));
    assertEquals(TaskState.READY, task.taskState());
    scheduler.start();
    assertTrace("there");
  }

  /// An event that is there when it is polled, and never comes when it is armed.
  private static Waitable<String> pollable(String value) {
    return new Waitable<>() {
      @Override
      public boolean poll(Waiter<? super String> waiter) {
        return waiter.fire(value);
      }

      @Override
      public void arm(Waiter<? super String> waiter) {}

      @Override
      public void disarm(Waiter<? super String> waiter) {}
    };
  }

  @Test
  void scheduleOn_cancelledAndNotToldYet_isRefused() {
    Task<Void> task = suspended();
    task.cancel("test");
    assertFalse(scheduler.queue().scheduleOn(task, event));
    scheduler.start();
    assertTrue(task.isCancelled());
    assertTrace("cancelled");
  }

  @Test
  void scheduleOn_cancelledAtYield_isRefused() {
    Task<Void> task = scheduler.spawn(() -> scheduler.yield());
    scheduler.step();
    task.cancel("test");
    assertFalse(scheduler.queue().scheduleOn(task, event));
    scheduler.start();
    assertTrue(task.isCancelled());
  }

  @Test
  void close_cancelledThenUnscheduled_runsFinally() {
    Task<Void> task = suspended();
    task.cancel("test");
    assertTrue(scheduler.queue().unschedule(task));
    scheduler.close();
    assertTrue(task.isCancelled());
    assertTrace("cancelled");
  }

  private static Waitable<Object> cannotBeArmed() {
    return new Waitable<>() {
      @Override
      public void arm(Waiter<? super Object> waiter) {
        throw new IllegalStateException("arm");
      }

      @Override
      public void disarm(Waiter<? super Object> waiter) {}
    };
  }

  private void assertNotArmed(Task<?> task) {
    var told =
        assertThrows(
            IllegalStateException.class, () -> scheduler.queue().scheduleOn(task, cannotBeArmed()));
    assertEquals("arm", told.getMessage());
  }

  @Test
  void scheduleOn_armThrowsAndTaskWaits_thatWaitFailsWithIt() {
    Task<Void> task =
        scheduler.spawn(() ->
            trace(
                assertThrows(IllegalStateException.class, () -> scheduler.await(event))
                    .getMessage()));
    scheduler.step();
    assertNotArmed(task);
    assertEquals(0, event.waiters());
    scheduler.start();
    assertTrace("arm");
  }

  @Test
  void scheduleOn_armThrowsAndTaskIdles_wakes() {
    var begun = new AtomicBoolean();
    StepTask<Void> task =
        scheduler
            .host()
            .spawnSteps(
                "idling",
                self -> {
                  if (!begun.getAndSet(true)) {
                    return self.idle();
                  }
                  trace("woken");
                  return StepResult.DONE;
                });
    scheduler.step();
    assertNotArmed(task);
    scheduler.start();
    assertTrace("woken");
  }

  @Test
  void scheduleOn_armThrowsAndTaskIsNew_staysNew() {
    Task<Void> task = scheduler.newTask("t", () -> trace("ran"));
    assertNotArmed(task);
    assertEquals(TaskState.NEW, task.taskState());
    assertFalse(scheduler.tasks().stream().anyMatch(each -> each.id() == task.id()));
    assertTrue(scheduler.scheduleTask(task));
    scheduler.start();
    assertTrace("ran");
  }

  @Test
  void scheduleOn_armThrowsAndTaskIsSuspendedOrReady_staysThat() {
    Task<Void> task = suspended();
    assertNotArmed(task);
    assertEquals(TaskState.SUSPENDED, task.taskState());
    scheduler.scheduleTask(task);
    assertNotArmed(task);
    assertEquals(TaskState.READY, task.taskState());
    scheduler.start();
    assertTrace("null");
  }

  @Test
  void scheduleOn_wokenByAChoice_isRefused() {
    var other = new WaitQueueEvent();
    Task<Void> task =
        scheduler.spawn(
            () -> trace(scheduler.await(Waitable.anyOf(List.of(event, Waitable.never())))));
    scheduler.step();
    event.fireAll("value");
    assertFalse(
        scheduler.queue().scheduleOn(task, Waitable.anyOf(List.of(other, Waitable.never()))));
    assertEquals(0, event.waiters());
    assertEquals(0, other.waiters());
    scheduler.start();
    assertTrace("value");
  }

  /// Acts on the task for which it is armed, and keeps the waiter.
  private Waitable<@Nullable Object> meddling(TaskAction<?> action) {
    return new Waitable<>() {
      @Override
      public void arm(Waiter<? super @Nullable Object> waiter) {
        event.arm(waiter);
        try {
          action.run();
        } catch (Exception e) {
          throw new AssertionError(e);
        }
      }

      @Override
      public void disarm(Waiter<? super @Nullable Object> waiter) {
        event.disarm(waiter);
      }
    };
  }

  @Test
  void scheduleOn_newTaskCancelledByTheArming_endsAndLeavesNothing() {
    Task<Void> task = scheduler.newTask("t", () -> trace("ran"));
    assertTrue(scheduler.queue().scheduleOn(task, meddling(() -> task.cancel("test"))));
    assertTrue(task.isCancelled());
    assertEquals(TaskState.CANCELLED, task.taskState());
    assertEquals(0, event.waiters());
    scheduler.start();
  }

  @Test
  void scheduleOn_cancelledByTheArming_isToldOnceAndLeavesNothing() {
    Task<Void> task = suspended();
    assertTrue(scheduler.queue().scheduleOn(task, meddling(() -> task.cancel("test"))));
    assertEquals(0, event.waiters());
    scheduler.start();
    assertTrue(task.isCancelled());
    assertTrace("cancelled");
  }

  @Test
  void scheduleOn_scheduledByTheArming_isReady() {
    Task<Void> task = suspended();
    assertTrue(
        scheduler.queue().scheduleOn(task, meddling(() -> scheduler.scheduleTask(task, "value"))));
    assertEquals(TaskState.READY, task.taskState());
    assertEquals(0, event.waiters());
    scheduler.start();
    assertTrace("value");
  }
}
