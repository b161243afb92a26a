package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/// Calls that come twice, or after the end.
class LateTest extends SchedulerTest {

  /// A stage of another library that calls its callbacks twice.
  @SuppressWarnings("unchecked")
  private static Future<String> stuttering() {
    return (Future<String>)
        Proxy.newProxyInstance(
            LateTest.class.getClassLoader(),
            new Class<?>[] {CompletionStage.class, Future.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("whenComplete")) {
                var callback = (BiConsumer<? super String, ? super Throwable>) arguments[0];
                callback.accept("first", null);
                callback.accept("second", null);
              }
              return method.getName().equals("toString") ? "stuttering" : proxy;
            });
  }

  @Test
  void completion_sourceTellsTwice_firstIsDeliveredAndNobodyElseIsLost() {
    runTask(() -> {
      assertEquals("first", scheduler.await(scheduler.completion(stuttering())));
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
    assertFalse(closed.queue().scheduleOn(task, Waitable.never()));
    assertEquals(0, closed.tasks().size());
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
