package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// Null arguments are refused at once, and nothing changes.
class BadInputTest extends SchedulerTest {

  @Test
  void null_whereNoneMayBe_isRefusedAtOnce() {
    for (Executable call :
        List.<Executable>of(
            () -> scheduler.spawn((TaskCall<Object, ?>) null),
            () -> scheduler.spawn((TaskAction<?>) null),
            () -> scheduler.spawn("name", (TaskCall<Object, ?>) null),
            () -> scheduler.newTask("name", (TaskAction<?>) null),
            () -> scheduler.host().spawnSteps("name", null),
            () -> scheduler.scheduleTask(null),
            () -> scheduler.queue().unschedule(null),
            () -> scheduler.host().install(null),
            () -> scheduler.host().idleStrategy(null),
            () -> LoopControl.of(scheduler.host()).timerService(null),
            () -> scheduler.execute(null),
            () -> Waitable.anyOf(null),
            () -> Waitable.guard(null),
            () -> Waitable.never().map(null),
            () -> Scheduler.builder().ticker(null).build(),
            () -> Scheduler.builder().failureHandler(null).build())) {
      assertThrows(NullPointerException.class, call);
    }
    scheduler.spawn(() -> trace("runs"));
    scheduler.start();
    assertTrace("runs");
  }

  @Test
  void null_awaited_isRefusedAndTheTaskGoesOn() {
    runTask(() -> {
      assertThrows(NullPointerException.class, () -> scheduler.await(null));
      assertThrows(NullPointerException.class, () -> scheduler.select(Waitable.never(), null));
      assertThrows(NullPointerException.class, () -> scheduler.await(Waitable.always(1), null));
      scheduler.yield();
      trace("goes on");
    });
    assertTrace("goes on");
  }

  @Test
  void null_scheduledOn_isRefusedAndTheTaskStaysWhereItWas() {
    Task<Void> task = scheduler.spawn(() -> trace("runs"));
    assertThrows(NullPointerException.class, () -> scheduler.queue().scheduleOn(task, null));
    scheduler.start();
    assertTrace("runs");
  }

  @Test
  void scheduleOn_armThrows_taskStaysReady() {
    Task<Void> task = scheduler.spawn(() -> trace("runs"));
    assertThrows(IllegalStateException.class, () -> scheduler.queue().scheduleOn(task, task));
    scheduler.start();
    assertTrace("runs");
  }
}
