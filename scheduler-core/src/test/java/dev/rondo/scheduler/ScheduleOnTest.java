package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.SchedulerTest;
import org.junit.jupiter.api.Test;

/// `scheduleOn` for tasks that have something to take first: a value, or a cancellation.
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
  void scheduleOn_hasReceived_dropsIt() {
    Task<Void> task = suspended();
    scheduler.scheduleTask(task, "dropped");
    assertTrue(scheduler.scheduleOn(task, event));
    scheduler.scheduleTask(task);
    scheduler.start();
    assertTrace("null");
  }

  @Test
  void scheduleOn_whatItWasJustWokenBy_waitsAgain() {
    Task<Void> task = scheduler.spawn(() -> trace(scheduler.await(event)));
    scheduler.step();
    event.fireAll("dropped");
    assertTrue(scheduler.scheduleOn(task, event));
    event.fireAll("value");
    scheduler.start();
    assertTrace("value");
  }

  @Test
  void scheduleOn_hasReceivedThenCancelled_leavesTheEvent() {
    Task<Void> task = suspended();
    scheduler.scheduleTask(task, "dropped");
    scheduler.scheduleOn(task, event);
    task.cancel("test");
    assertEquals(0, event.fireAll("late"));
    assertEquals(1, scheduler.tasksPending());
    scheduler.start();
    assertEquals(0, scheduler.tasksPending());
    assertTrace("cancelled");
  }

  @Test
  void scheduleOn_cancelledAndNotToldYet_isRefused() {
    Task<Void> task = suspended();
    task.cancel("test");
    assertFalse(scheduler.scheduleOn(task, event));
    scheduler.start();
    assertTrue(task.isCancelled());
    assertTrace("cancelled");
  }

  @Test
  void scheduleOn_cancelledAtYield_isRefused() {
    Task<Void> task = scheduler.spawn(() -> scheduler.yield());
    scheduler.step();
    task.cancel("test");
    assertFalse(scheduler.scheduleOn(task, event));
    scheduler.start();
    assertTrue(task.isCancelled());
  }

  @Test
  void close_cancelledThenUnscheduled_runsFinally() {
    Task<Void> task = suspended();
    task.cancel("test");
    assertTrue(scheduler.unschedule(task));
    scheduler.close();
    assertTrue(task.isCancelled());
    assertTrace("cancelled");
  }
}
