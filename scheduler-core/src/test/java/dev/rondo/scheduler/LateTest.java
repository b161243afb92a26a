package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/// What comes twice, or when all is over.
class LateTest extends SchedulerTest {

  /// Tells its callbacks as often as it is completed.
  private static final class Stuttering extends CompletableFuture<String> {

    @Override
    public CompletableFuture<String> whenComplete(
        BiConsumer<? super String, ? super Throwable> action) {
      action.accept("first", null);
      action.accept("second", null);
      return this;
    }
  }

  @Test
  void completion_sourceTellsTwice_firstIsDeliveredAndNobodyElseIsLost() {
    runTask(() -> {
      assertEquals("first", scheduler.await(scheduler.completion(new Stuttering())));
      scheduler.execute(() -> trace("posted"));
      scheduler.yield();
      assertEquals("next", scheduler.blocking(() -> "next"));
    });
    assertTrace("posted");
  }

  @Test
  void scheduleTask_newTaskAfterClose_isRefused() {
    Scheduler closed = newScheduler();
    Task<Integer> task = closed.newTask("late", () -> 1);
    closed.close();
    assertFalse(closed.scheduleTask(task));
    assertFalse(closed.scheduleOn(task, Waitable.never()));
    assertEquals(0, closed.tasksAlive());
  }

  @Test
  void stop_inTheTurnOfAHalt_doesNotEndTheNextRun() {
    scheduler.spawn(
        "H",
        () -> {
          scheduler.stop();
          scheduler.halt("halted");
          trace("went on");
        });
    assertEquals("halted", scheduler.run(null));
    scheduler.start();
    assertTrace("went on");
  }

  @Test
  void tasks_wokenTask_isNotWaitingAnyMore() {
    var event = new WaitQueueEvent();
    scheduler.spawn("W", () -> scheduler.await(event));
    drive();
    event.fireFirst("now");
    TaskInfo info = scheduler.tasks().getLast();
    assertEquals("W", info.name());
    assertEquals(TaskState.READY, info.state());
    assertNull(info.waitingFor());
    scheduler.start();
  }
}
