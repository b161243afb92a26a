package dev.rondo.scheduler.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.Source;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.testing.WaitableContract.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// One waitable, awaited alone.
///
/// @param <T> what the event carries
abstract class WaitableWaits<T extends @Nullable Object> extends WaitableFixture<T> {

  // One wait.

  @Test
  void await_eventComes_isDeliveredOnce() {
    Task<Void> task = waiter("w");
    drive();
    assertEquals(TaskState.WAITING, task.taskState());
    assertRegistered(1);
    T value = happen();
    scheduler.start();
    assertTrace("w=" + value);
    assertRegistered(0);
  }

  @Test
  void await_eventThere_isDelivered() {
    assumeTrue(kind() != Kind.PASSING);
    T value = happen();
    drive();
    assertNotLost(value);
    assertRegistered(0);
  }

  @Test
  void await_eventPassedBefore_isNotDelivered() {
    assumeTrue(kind() == Kind.PASSING);
    happen();
    drive();
    Task<Void> task = waiter("w");
    drive();
    assertEquals(TaskState.WAITING, task.taskState());
    T value = happen();
    scheduler.start();
    assertTrace("w=" + value);
  }

  @Test
  void await_eventThere_givesWayUnlessItTakesSomething() {
    assumeTrue(kind() != Kind.PASSING);
    assumeTrue(kind() == Kind.TAKEN || !isEager(waitable));
    T value = happen();
    drive();
    waiter("w");
    scheduler.spawn(() -> trace("other"));
    scheduler.start();
    assertTrace(isEager(waitable) ? "w=" + value + " other" : "other w=" + value);
  }

  @Test
  void await_takingWithoutEnd_letsOthersRun() {
    assumeTrue(kind() == Kind.TAKEN && isEager(waitable));
    boolean[] stop = new boolean[1];
    AtomicInteger taken = new AtomicInteger();
    scheduler.spawn(() -> {
      while (!stop[0] && taken.incrementAndGet() < 10_000) {
        happen();
        scheduler.await(waitable);
      }
    });
    scheduler.spawn(() -> stop[0] = true);
    scheduler.start();
    assertTrue(taken.get() < 10_000, "it kept the loop");
  }

  @Test
  void await_again_waitsAgain() {
    assumeTrue(kind() != Kind.LASTING);
    scheduler.spawn(() -> {
      trace(scheduler.await(waitable));
      trace(scheduler.await(waitable));
    });
    drive();
    T first = happen();
    drive();
    assertTrace("" + first);
    assertRegistered(1);
    T second = happen();
    scheduler.start();
    assertTrace("" + second);
  }

  @Test
  void await_lasting_everybodyGetsIt() {
    assumeTrue(kind() == Kind.LASTING);
    var got = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      scheduler.spawn(() -> got.add(scheduler.await(waitable)));
    }
    drive();
    T value = happen();
    scheduler.start();
    assertEquals(Collections.nCopies(3, value), got);
    assertNotLost(value);
  }

  @Test
  void await_severalWaiters_areServedInTheOrderTheyBeganToWait() {
    assumeTrue(kind() == Kind.TAKEN);
    for (String name : List.of("a", "b", "c")) {
      waiter(name);
    }
    drive();
    assertRegistered(3);
    T first = happen();
    T second = happen();
    T third = happen();
    scheduler.start();
    assertTrace("a=%s b=%s c=%s".formatted(first, second, third));
  }

  @Test
  void await_inAStepTask_isReceived() {
    boolean[] begun = new boolean[1];
    StepTask<Void> task =
        scheduler
            .host()
            .spawnSteps(
                "s",
                self -> {
                  if (!begun[0]) {
                    begun[0] = true;
                    return self.await(waitable);
                  }
                  trace(self.received());
                  return StepResult.DONE;
                });
    drive();
    assertRegistered(1);
    T value = happen();
    scheduler.start();
    assertTrace("" + value);
    assertTrue(task.isDone());
  }

  @Test
  void scheduleOn_newTask_receivesIt() {
    Task<Void> task = scheduler.newTask("t", () -> trace(scheduler.received()));
    assertTrue(scheduler.queue().scheduleOn(task, waitable));
    assertRegistered(1);
    T value = happen();
    scheduler.start();
    assertTrace("" + value);
  }

  @Test
  void scheduleOn_eventThere_receivesIt() {
    assumeTrue(kind() != Kind.PASSING);
    T value = happen();
    drive();
    scheduler
        .queue()
        .scheduleOn(scheduler.newTask("t", () -> trace(scheduler.received())), waitable);
    scheduler.start();
    assertTrace("" + value);
    assertRegistered(0);
  }

  // Waits that end otherwise.

  @Test
  void cancel_waiting_leavesNothingAndTheEventIsNotLost() {
    Task<Void> task = waiter("w");
    drive();
    task.cancel("why");
    assertRegistered(0);
    drive();
    assertTrue(task.isCancelled());
    T value = happen();
    drive();
    assertNotLost(value);
  }

  @Test
  void cancel_eventOnItsWay_isReceivedOrNotLost() {
    assumeTrue(kind() == Kind.TAKEN);
    Task<Void> task = waiter("w");
    drive();
    T value = happen();
    task.cancel("why");
    drive();
    assertRegistered(0);
    if (task.isCancelled()) {
      assertNotLost(value);
    } else {
      assertTrace("w=" + value);
    }
  }

  @Test
  void timeout_waiting_leavesNothingAndTheEventIsNotLost() {
    runTask(() -> assertThrows(TimedOutException.class, () -> scheduler.await(waitable, SECOND)));
    assertRegistered(0);
    T value = happen();
    drive();
    assertNotLost(value);
  }

  @Test
  void timeout_scopeAround_leavesNothingAndTheEventIsNotLost() {
    runTask(() ->
        assertThrows(
            TimedOutException.class,
            () -> scheduler.within(SECOND, () -> scheduler.await(waitable))));
    assertRegistered(0);
    T value = happen();
    drive();
    assertNotLost(value);
  }

  @Test
  void scheduleTask_waiting_endsTheWaitAndTheLateEventCannotFire() {
    Task<Void> task =
        scheduler.spawn(() -> {
          trace(scheduler.await(waitable));
          trace(scheduler.suspend());
        });
    drive();
    assertTrue(scheduler.scheduleTask(task, null));
    assertRegistered(0);
    drive();
    assertTrace("null");
    T value = happen();
    drive();
    assertEquals(TaskState.SUSPENDED, task.taskState());
    scheduler.scheduleTask(task, "end");
    drive();
    assertTrace("end");
    assertNotLost(value);
  }

  @Test
  void scheduleTask_waitingAgainTwiceInOneRound_eventIsDeliveredOnce() {
    Task<Void> task =
        scheduler.spawn(() -> {
          trace(scheduler.await(waitable));
          trace(scheduler.await(waitable));
          trace(scheduler.await(waitable));
        });
    Object[] value = new Object[1];
    drive();
    runTask(() -> {
      scheduler.scheduleTask(task);
      scheduler.yield();
      assertRegistered(1);
      scheduler.scheduleTask(task);
      scheduler.yield();
      assertRegistered(1);
      value[0] = happen();
    });
    assertTrue(task.isDone());
    assertRegistered(0);
    assertTrace("null null " + value[0]);
  }

  @Test
  void unschedule_waiting_leavesNothingAndTheEventIsNotLost() {
    Task<Void> task = waiter("w");
    drive();
    assertTrue(scheduler.queue().unschedule(task));
    assertRegistered(0);
    T value = happen();
    drive();
    assertEquals(TaskState.SUSPENDED, task.taskState());
    scheduler.scheduleTask(task);
    drive();
    assertTrace("w=null");
    assertNotLost(value);
  }

  @Test
  void scheduleOnOrWithAValue_woken_isRefusedAndTheEventIsNotLost() {
    assumeTrue(kind() == Kind.TAKEN);
    Task<Void> task = waiter("w");
    drive();
    T value = happen();
    stepUntilWoken(task);
    assertFalse(scheduler.queue().scheduleOn(task, Waitable.never()));
    assertTrue(scheduler.queue().unschedule(task));
    assertFalse(scheduler.queue().scheduleOn(task, Waitable.never()));
    assertFalse(scheduler.scheduleTask(task, "other"));
    assertTrue(scheduler.scheduleTask(task));
    drive();
    assertTrace("w=" + value);
  }

  /// Gives others their turns until an event has woken a task, which has not had its turn then. A
  /// posted event comes right before a turn: that of a task which is ready all the time.
  private void stepUntilWoken(Task<?> task) {
    var _ =
        scheduler
            .host()
            .spawnSteps(
                "ready all the time",
                self -> task.taskState() == TaskState.WAITING ? StepResult.AGAIN : StepResult.DONE);
    for (int i = 0; i < ENOUGH_TURNS && task.taskState() == TaskState.WAITING; i++) {
      assertTrue(scheduler.step());
    }
    assertEquals(TaskState.READY, task.taskState(), "the event did not wake the task");
  }

  /// A choice that a task of its scheduler has awaited.
  private Waitable<T> awaitedBefore() {
    Waitable<T> choice = Waitable.anyOf(List.of(waitable));
    Task<Void> task =
        scheduler.spawn(
            "before",
            () -> {
              var _ = scheduler.await(choice);
            });
    drive();
    assertTrue(task.cancel("it has waited"));
    drive();
    return choice;
  }

  @Test
  void await_taskOfAnotherScheduler_isRefusedAndLeavesNothing() {
    assumeFalse(isForAnyScheduler());
    assertEquals(scheduler, waitable.scheduler());
    Waitable<T> awaited = awaitedBefore();
    try (Scheduler other = newScheduler()) {
      other.spawn(() -> {
        for (Waitable<T> each :
            List.of(
                waitable, waitable.<T>map(v -> v), Waitable.<T>anyOf(List.of(waitable)), awaited)) {
          var told = assertThrows(IllegalStateException.class, () -> other.await(each));
          assertTrue(told.getMessage().contains("of another scheduler"), told.getMessage());
        }
        trace("refused");
      });
      other.start();
      Task<Void> task = other.newTask("foreign", () -> trace("ran"));
      assertThrows(IllegalStateException.class, () -> other.queue().scheduleOn(task, waitable));
    }
    assertTrace("refused");
    assertRegistered(0);
    T value = happen();
    drive();
    assertNotLost(value);
  }

  private static boolean isEager(Waitable<?> waitable) {
    return !(waitable instanceof Source<?> source) || source.isEager();
  }
}
