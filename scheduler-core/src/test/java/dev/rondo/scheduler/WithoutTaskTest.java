package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.scheduler.internal.rooms.TaskControl;
import dev.rondo.scheduler.testing.SchedulerTest;
import org.junit.jupiter.api.Test;

/// Code that an add-on runs above the frames of a task, as if outside of tasks.
class WithoutTaskTest extends SchedulerTest {

  @Test
  void withoutTask_inATask_hidesTheTaskForTheTimeOfTheCode() {
    runTask(() -> {
      int answer =
          TaskControl.of(scheduler.host())
              .withoutTask(() -> {
                assertNull(scheduler.currentTask());
                assertThrows(IllegalStateException.class, scheduler::yield);
                var _ = scheduler.spawn(() -> trace("spawned"));
                return 7;
              });
      assertEquals(7, answer);
      assertNotNull(scheduler.currentTask());
      scheduler.yield();
      trace("on");
    });
    assertTrace("spawned on");
  }

  @Test
  void withoutTask_codeFails_failsAndTheTaskIsBack() {
    runTask(() -> {
      var failure = new IllegalArgumentException("broken");
      Exception thrown =
          assertThrows(
              IllegalArgumentException.class,
              () ->
                  TaskControl.of(scheduler.host())
                      .withoutTask(() -> {
                        throw failure;
                      }));
      assertEquals(failure, thrown);
      assertNotNull(scheduler.currentTask());
    });
  }
}
