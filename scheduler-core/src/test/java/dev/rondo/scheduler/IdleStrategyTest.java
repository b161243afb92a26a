package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.IdleStrategy;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Add-ons with nothing to do, and how the loop sleeps.
class IdleStrategyTest extends SchedulerTest {

  /// Counts its turns, and returns what the test has set.
  private static final class Counting implements AddOn {
    private final Function<StepTask<Void>, StepResult> answer;
    private int turns;

    Counting(Function<StepTask<Void>, StepResult> answer) {
      this.answer = answer;
    }

    @Override
    public StepResult turn(StepTask<Void> self) {
      turns++;
      return answer.apply(self);
    }
  }

  private Task<Void> busy(int turns) {
    return scheduler.spawn(
        "busy",
        () -> {
          for (int i = 0; i < turns; i++) {
            scheduler.yield();
          }
        });
  }

  @Test
  void idle_loopBusyAndTimeStandsStill_getsNoTurns() {
    var addOn = new Counting(StepTask::idle);
    scheduler.host().install(addOn).wake();
    busy(10_000);
    scheduler.start();
    assertEquals(1, addOn.turns);
    assertEquals(0, time.sleeps());
  }

  @Test
  void idle_loopBusy_getsATurnAtABoundedInterval() {
    time.advancePerRead(Duration.ofNanos(20_000));
    var addOn = new Counting(StepTask::idle);
    scheduler.host().install(addOn).wake();
    busy(10_000);
    scheduler.start();
    long micros = time.elapsed().toNanos() / 1_000;
    assertTrue(addOn.turns >= micros / 50 / 2, addOn.turns + " turns in " + micros + " us");
    assertTrue(addOn.turns <= micros / 50 + 2, addOn.turns + " turns in " + micros + " us");
    assertTrue(addOn.turns * 2 < 10_000, "an idle add-on costs turns: " + addOn.turns);
  }

  @Test
  void idleUntil_nothingElseToDo_sleepsOnceUntilThen() {
    long start = scheduler.host().nowNanos();
    var addOn =
        new Counting(self ->
            scheduler.host().nowNanos() - start < 1_000_000_000
                ? self.idleUntil(start + 1_000_000_000)
                : StepResult.SUSPEND);
    scheduler.host().install(addOn).wake();
    var signal = new WaitQueueEvent();
    Task<Void> task =
        scheduler.spawn(() -> {
          scheduler.await(signal);
        });
    assertThrows(DeadlockException.class, scheduler::start);
    assertEquals(1, time.sleeps());
    assertEquals(2, addOn.turns);
    assertEquals(Duration.ofSeconds(1), time.elapsed());
    task.cancel("enough");
    scheduler.start();
  }

  @Test
  void idleUntil_due_comesBeforeRegularTasks() {
    long soon = scheduler.host().nowNanos() + 1_000;
    scheduler
        .host()
        .install(
            new Counting(self -> {
              trace("add-on");
              return scheduler.host().nowNanos() - soon < 0
                  ? self.idleUntil(soon)
                  : StepResult.SUSPEND;
            }))
        .wake();
    scheduler.spawn(() -> {
      time.advance(Duration.ofNanos(1_000));
      trace("x");
      for (int i = 0; i < 3_000; i++) {
        scheduler.yield();
      }
      trace("y");
    });
    scheduler.start();
    assertTrace("add-on x add-on y");
  }

  @Test
  void idleUntil_nothingElseToDo_wakesWhenItsDeadlineComes() {
    long deadline = scheduler.host().deadlineAfter(Duration.ofMinutes(1));
    scheduler
        .host()
        .spawnSteps(
            "S",
            self -> {
              if (scheduler.host().nowNanos() - deadline < 0) {
                return self.idleUntil(deadline);
              }
              trace("woken");
              return StepResult.DONE;
            });
    scheduler.start();
    assertTrace("woken");
    assertEquals(Duration.ofMinutes(1), time.elapsed());
    assertEquals(1, time.sleeps());
  }

  @Test
  void wake_idling_getsATurnAndForgetsTheDeadline() {
    var addOn = new Counting(StepTask::idle);
    StepTask<Void> task = scheduler.host().install(addOn);
    assertEquals(TaskState.SUSPENDED, task.taskState());
    task.wake();
    drive();
    assertEquals(TaskState.IDLING, task.taskState());
    assertTrue(task.wake());
    drive();
    assertEquals(2, addOn.turns);
    assertTrue(scheduler.queue().unschedule(task));
    assertEquals(TaskState.SUSPENDED, task.taskState());
  }

  @Test
  void suspended_addOn_costsNothing() {
    var addOn = new Counting(self -> StepResult.SUSPEND);
    scheduler.host().install(addOn);
    busy(1_000);
    scheduler.start();
    assertEquals(0, addOn.turns);
  }

  @Test
  void execute_whileAsleep_wakesExactlyOnce() throws Exception {
    try (var _ = scheduler.keepAlive()) {
      Task<Object> task = scheduler.spawn(() -> scheduler.suspend());
      drive();
      Thread other =
          Thread.ofPlatform().start(() -> scheduler.execute(() -> scheduler.scheduleTask(task)));
      scheduler.start();
      other.join();
      assertTrue(task.isDone());
      assertTrue(time.sleeps() <= 1, "slept " + time.sleeps() + " times");
    }
  }

  @Test
  void install_twice_isRefusedAndFoundByTypeOrInterface() {
    var addOn = new Counting(StepTask::idle);
    scheduler.host().install(addOn);
    assertThrows(IllegalStateException.class, () -> scheduler.host().install(new Counting(null)));
    assertSame(addOn, scheduler.host().addOn(Counting.class));
    assertSame(time, scheduler.host().addOn(IdleStrategy.class));
    assertNull(scheduler.host().addOn(Runnable.class));
    assertFalse(scheduler.tasks().isEmpty());
  }

  @Test
  void addOn_throws_isReportedAndTheSchedulerGoesOn() {
    scheduler
        .host()
        .install(
            new Counting(self -> {
              throw new IllegalStateException("add-on");
            }))
        .wake();
    busy(3);
    scheduler.start();
    Reported told = takeReported().getFirst();
    assertEquals("add-on", told.failure().getMessage());
    assertTrue(told.where().contains("Counting"), told.where());
  }

  @Test
  void idler_throws_comesOutOfStartWhichCanGoOn() {
    boolean[] broken = {true};
    scheduler
        .host()
        .idleStrategy(
            new IdleStrategy() {
              @Override
              public void idleUntil(long deadlineNanos) {
                time.idleUntil(deadlineNanos);
              }

              @Override
              public void idle() {
                if (broken[0]) {
                  broken[0] = false;
                  throw new IllegalStateException("idler");
                }
                time.idle();
              }

              @Override
              public void wakeup() {
                time.wakeup();
              }
            });
    try (var _ = scheduler.keepAlive()) {
      Task<Object> task = scheduler.spawn(() -> scheduler.suspend());
      var told = assertThrows(IllegalStateException.class, scheduler::start);
      assertEquals("idler", told.getMessage());
      Thread.ofPlatform().start(() -> scheduler.execute(() -> scheduler.scheduleTask(task)));
      scheduler.start();
      assertTrue(task.isDone());
    }
  }

  @Test
  void deadlineAfter_badInput_isRefusedOrSaturated() {
    assertThrows(
        IllegalArgumentException.class, () -> scheduler.host().deadlineAfter(Duration.ofNanos(-1)));
    assertThrows(NullPointerException.class, () -> scheduler.host().deadlineAfter(null));
    long forEver = scheduler.host().deadlineAfter(Duration.ofSeconds(Long.MAX_VALUE));
    assertTrue(forEver - scheduler.host().nowNanos() > 0, "for ever is after now");
    assertEquals(forEver, scheduler.host().deadlineAfter(Duration.ofDays(365 * 1_000)));
  }
}
