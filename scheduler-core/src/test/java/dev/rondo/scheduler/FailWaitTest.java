package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.internal.rooms.TaskControl;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// Waits that an add-on fails.
final class FailWaitTest extends SchedulerTest {

  private final NoSuchElementException failure = new NoSuchElementException("on purpose");

  private boolean fail(Task<?> task) {
    return TaskControl.of(scheduler.host()).failWait(task, () -> failure);
  }

  private Task<Void> failing(String name, TaskAction<?> wait) {
    return scheduler.spawn(
        name,
        () -> {
          assertSame(failure, assertThrows(NoSuchElementException.class, wait::run));
          trace(name);
          scheduler.yield();
        });
  }

  @Test
  void failWait_parkedTask_failsOnce() {
    var waiting = failing("waiting", () -> scheduler.await(Waitable.never()));
    var suspended = failing("suspended", () -> scheduler.suspend());
    var begun = new AtomicBoolean();
    StepTask<Void> idling =
        scheduler
            .host()
            .spawnSteps(
                "idling",
                self -> {
                  if (!begun.getAndSet(true)) {
                    return self.idle();
                  }
                  assertSame(failure, assertThrows(NoSuchElementException.class, self::received));
                  trace("idling");
                  return StepResult.DONE;
                });
    drive();
    assertTrue(fail(waiting));
    assertFalse(fail(waiting), "it is ready");
    assertTrue(fail(suspended));
    assertTrue(fail(idling));
    drive();
    assertTrace("waiting suspended idling");
    assertFalse(fail(waiting), "it has ended");
  }

  @Test
  void failWait_taskThatHasSomethingToReceive_isRefused() {
    var begun = scheduler.newTask("new", () -> trace("new"));
    assertFalse(fail(begun));
    scheduler.scheduleTask(begun);
    var given = scheduler.spawn(() -> trace(scheduler.suspend()));
    drive();
    assertTrue(scheduler.scheduleTask(given, "value"));
    assertTrue(scheduler.queue().unschedule(given));
    assertFalse(fail(given));
    assertTrue(scheduler.scheduleTask(given));
    drive();
    assertTrace("new value");
  }

  @Test
  void failWait_endOfAGroup_cancelsItsTasksFirst() {
    var group = scheduler.<Object>newGroup("group");
    var owner =
        failing(
            "owner",
            () -> group.run(() -> group.spawn("child", () -> scheduler.await(Waitable.never()))));
    drive();
    assertTrue(fail(owner));
    drive();
    assertTrace("owner");
    assertTrue(group.isCancelled());
  }

  @Test
  void failWait_groupWhoseTasksCleanUp_failsItWhenTheyHaveEnded() {
    var cleaned = new Task<?>[1];
    var group = scheduler.<Object>newGroup("group");
    var owner =
        scheduler.spawn(() -> {
          var thrown =
              assertThrows(
                  NoSuchElementException.class,
                  () ->
                      group.run(() -> {
                        cleaned[0] =
                            group.spawn(
                                "child", () -> scheduler.shielded(() -> scheduler.suspend()));
                        scheduler.yield();
                        throw new IllegalStateException("of the block");
                      }));
          assertSame(failure, thrown);
          assertEquals("of the block", thrown.getSuppressed()[0].getMessage());
          trace("over");
        });
    drive();
    assertTrue(fail(owner));
    assertFalse(fail(owner), "once");
    assertTrue(scheduler.scheduleTask(cleaned[0]));
    drive();
    assertTrace("over");
  }

  @Test
  void whenParked_taskIdles_runsOnce() {
    StepTask<Void> idling = scheduler.host().spawnSteps("idling", StepTask::idle);
    TaskControl.of(scheduler.host()).whenParked(idling, () -> trace("parked"));
    drive();
    assertTrace("parked");
    assertTrue(idling.wake());
    drive();
    assertTrace("");
    assertTrue(idling.cancel("enough"));
  }

  @Test
  void whenParked_taskIsSuspendedOrIsUnscheduled_runsOnce() {
    Task<Void> task =
        scheduler.spawn(
            "t",
            () -> {
              scheduler.yield();
              scheduler.suspend();
              scheduler.suspend();
              scheduler.yield();
            });
    Runnable parked = () -> trace("parked");
    TaskControl.of(scheduler.host()).whenParked(task, () -> trace("replaced"));
    TaskControl.of(scheduler.host()).whenParked(task, parked);
    drive();
    assertTrace("parked");
    scheduler.scheduleTask(task);
    drive();
    assertTrace("");
    scheduler.scheduleTask(task);
    TaskControl.of(scheduler.host()).whenParked(task, parked);
    assertTrue(scheduler.queue().unschedule(task));
    assertTrace("parked");
    scheduler.scheduleTask(task);
    scheduler.start();
  }
}
