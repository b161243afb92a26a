package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.engine.Inside;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a composite wait returns when the task is scheduled directly, in place of the event.
class ScheduledDirectlyTest extends SchedulerTest {

  private final WaitQueueEvent signal = new WaitQueueEvent();

  private Task<?> selecting() {
    Task<?> task =
        scheduler.spawn("selecting", () -> trace(scheduler.select(Waitable.never(), signal)));
    drive();
    return task;
  }

  @Test
  void select_scheduledWithAValue_answersNullAndLeavesNothing() {
    Task<?> task = selecting();
    assertTrue(scheduler.scheduleTask(task, "direct"));
    scheduler.start();
    assertTrace("null");
    assertEquals(0, signal.waiters());
  }

  @Test
  void select_scheduledWithoutAValue_answersNull() {
    assertTrue(scheduler.scheduleTask(selecting()));
    scheduler.start();
    assertTrace("null");
  }

  @Test
  void select_scheduledWithASelection_answersThat() {
    var given = new Selection<>(7, "given");
    assertTrue(scheduler.scheduleTask(selecting(), given));
    scheduler.start();
    assertTrace(given.toString());
  }

  @Test
  void await_mappedFiredThenUnscheduledThenScheduledWithAValue_isRefused() {
    Task<?> task =
        scheduler.spawn(
            "mapped", () -> trace(scheduler.<Object>await(signal.map(value -> value + " mapped"))));
    drive();
    assertEquals(1, signal.fireAll("fired"));
    assertTrue(scheduler.queue().unschedule(task));
    assertFalse(scheduler.scheduleTask(task, "direct"));
    assertTrue(scheduler.scheduleTask(task));
    scheduler.start();
    assertTrace("fired mapped");
  }

  @Test
  void await_choiceFiredThenUnscheduledThenScheduledWithAValue_isRefused() {
    Task<?> task =
        scheduler.spawn(
            "choosing",
            () ->
                trace(scheduler.<Object>await(Waitable.anyOf(List.of(signal, Waitable.never())))));
    drive();
    assertEquals(1, signal.fireAll("fired"));
    assertTrue(scheduler.queue().unschedule(task));
    assertFalse(scheduler.queue().scheduleNext(task, "direct"));
    assertTrue(scheduler.queue().scheduleNext(task));
    scheduler.start();
    assertTrace("fired");
  }

  @Test
  void await_firedThenUnscheduledThenScheduled_answersWhatItHadReceived() {
    Task<?> task =
        scheduler.spawn(
            "mapped", () -> trace(scheduler.<Object>await(signal.map(value -> value + " mapped"))));
    drive();
    assertEquals(1, signal.fireAll("fired"));
    assertTrue(scheduler.queue().unschedule(task));
    assertTrue(scheduler.scheduleTask(task));
    scheduler.start();
    assertTrace("fired mapped");
  }

  @Test
  void otherwise_aBranchIsThere_whatTheTurnWasHandedStays() {
    Task<?> task =
        scheduler.newTask(
            "first turn",
            () -> {
              Select.biased()
                  .on(Waitable.always("there"), this::trace)
                  .otherwise(() -> trace("nothing"))
                  .run();
              trace(scheduler.received());
              assertNull(scheduler.received());
            });
    scheduler.scheduleTask(task, "handed");
    scheduler.start();
    assertTrace("there handed");
  }

  @Test
  void otherwise_inAStepTaskThatHasNotTakenItsEvent_theEventStays() {
    scheduler
        .host()
        .spawnSteps(
            "steps",
            self -> {
              if (!Inside.hasBegun(self)) {
                throw new AssertionError("a turn is an entry");
              }
              if (signal.waiters() == 0 && !fired) {
                fired = true;
                return self.await(Waitable.anyOf(List.of(signal, Waitable.never())));
              }
              Select.biased()
                  .on(Waitable.always("there"), this::trace)
                  .otherwise(() -> trace("nothing"))
                  .run();
              trace(self.received());
              return StepResult.DONE;
            });
    drive();
    assertEquals(1, signal.fireAll("event"));
    scheduler.start();
    assertTrace("there event");
  }

  private boolean fired;
}
