package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.testing.SchedulerTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// A message says what happened, with the names of those concerned, and what to do instead.
class ErrorMessageTest extends SchedulerTest {

  private static void assertRefused(
      Class<? extends RuntimeException> type, String message, Executable call) {
    assertEquals(message, assertThrows(type, call).getMessage());
  }

  @Test
  void await_ofAnEventOfAnotherScheduler_namesTheWaysAcross() {
    try (Scheduler other = newScheduler()) {
      Waitable<Void> theirs =
          new Waitable<>() {
            @Override
            public void arm(Waiter<? super Void> waiter) {}

            @Override
            public void disarm(Waiter<? super Void> waiter) {}

            @Override
            public Scheduler scheduler() {
              return other;
            }

            @Override
            public String toString() {
              return "their event";
            }
          };
      runTask(() ->
          assertRefused(
              IllegalStateException.class,
              "task 'main' awaits their event of another scheduler: await completion(..) of a"
                  + " future or task instead, or hand the event over with post(..)",
              () -> scheduler.await(theirs)));
    }
  }

  @Test
  void schedule_ofATaskOfAnotherScheduler_namesItAndTheFix() {
    try (Scheduler other = newScheduler()) {
      Task<Void> theirs = other.newTask("theirs", () -> {});
      assertRefused(
          IllegalArgumentException.class,
          "task 'theirs' (NEW) belongs to another scheduler: call that one",
          () -> scheduler.scheduleTask(theirs));
    }
  }

  @Test
  void start_ofAClosedScheduler_saysToBuildAnother() {
    Scheduler closed = newScheduler();
    closed.close();
    assertRefused(
        IllegalStateException.class,
        "start() of a closed scheduler: build another one",
        closed::start);
    assertRefused(
        IllegalStateException.class,
        "rest of a closed scheduler: build another one",
        LoopControl.of(closed.host())::rest);
  }

  @Test
  void stepBody_returnsNull_theFailureSaysWhatToReturn() {
    StepTask<Void> careless = scheduler.host().newStepTask("careless", self -> null);
    assertFailsWith(
        "the body of step task 'careless' returned null: return a StepResult", careless);
  }

  @Test
  void trap_returnsNull_theFailureSaysSo() {
    Task<Integer> trapped = scheduler.<Integer>newTask("trapped", () -> 1);
    trapped.trap((task, outcome) -> null);
    assertFailsWith("the trap of task 'trapped' returned no outcome", trapped);
  }

  private void assertFailsWith(String message, Task<?> task) {
    runTask(() -> {
      scheduler.scheduleTask(task);
      Throwable cause = assertThrows(TaskFailedException.class, task::join).getCause();
      assertEquals(message, cause.getMessage());
    });
  }
}
