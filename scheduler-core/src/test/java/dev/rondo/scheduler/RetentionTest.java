package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Objects that must become garbage when they are no longer needed.
class RetentionTest extends SchedulerTest {

  private static void assertCollected(WeakReference<?> reference) {
    for (int i = 0; i < 20 && reference.get() != null; i++) {
      System.gc();
    }
    assertNull(reference.get(), "is still held");
  }

  /// A task whose code holds the only reference to the object.
  private Task<Integer> capturing(Object held) {
    return scheduler.spawn(() -> {
      scheduler.yield();
      return held.hashCode();
    });
  }

  @Test
  void handle_ofEndedTask_doesNotHoldItsCode() {
    @Nullable Object held = new Object();
    var reference = new WeakReference<>(held);
    Task<Integer> task = capturing(held);
    held = null;
    scheduler.start();
    runTask(() -> {}); // replaces the last task that had a turn
    assertCollected(reference);
    assertEquals(TaskState.SUCCEEDED, task.taskState());
  }

  private WeakReference<Task<?>> ended() {
    Task<Void> task = scheduler.spawn(() -> scheduler.yield());
    while (scheduler.step()) {
      // Until it has ended.
    }
    assertEquals(TaskState.SUCCEEDED, task.taskState());
    return new WeakReference<>(task);
  }

  @Test
  void lastTaskThatEnded_isCollected() {
    assertCollected(ended());
  }

  private WeakReference<Task<?>> timedOutOn(CompletableFuture<String> stage) {
    Task<Void> task =
        scheduler.spawn(() -> {
          Waitable<String> completion = scheduler.completion(stage);
          assertThrows(
              TimedOutException.class, () -> scheduler.await(completion, Duration.ofSeconds(1)));
        });
    scheduler.start();
    assertEquals(TaskState.SUCCEEDED, task.taskState());
    return new WeakReference<>(task);
  }

  @Test
  void stage_nobodyWaitsAnyMore_doesNotHoldTheTask() {
    var stage = new CompletableFuture<String>();
    WeakReference<Task<?>> task = timedOutOn(stage);
    runTask(() -> {});
    assertCollected(task);
    assertEquals(false, stage.isDone());
  }

  @Test
  void completion_ofCompletableFuture_isNoAmbiguousCall() {
    var stage = new CompletableFuture<String>();
    stage.complete("value");
    runTask(() -> assertEquals("value", scheduler.await(scheduler.completion(stage))));
  }

  private WeakReference<Object> resultInGroup() {
    var results = new ArrayList<WeakReference<Object>>();
    runTask(() -> {
      var group = scheduler.newGroup("group");
      group.run(() -> {
        for (int i = 0; i < 2; i++) {
          group.spawn(() -> {
            var result = new Object();
            results.add(new WeakReference<>(result));
            return result;
          });
        }
      });
    });
    return results.getFirst();
  }

  @Test
  void groupThatHasEnded_isCollected_withItsResults() {
    assertCollected(resultInGroup());
  }

  private WeakReference<Object> valueOfFuture() {
    var future = new CompletableFuture<Object>();
    @Nullable Object value = new Object();
    var reference = new WeakReference<>(value);
    scheduler.spawn(() -> {
      scheduler.await(scheduler.completion(future));
    });
    drive();
    future.complete(value);
    scheduler.start();
    return reference;
  }

  @Test
  void valueOfAFutureThatWasAwaited_isCollected_withTheFuture() {
    assertCollected(valueOfFuture());
  }

  @Test
  void futureThatWasAwaited_isAwaitedAgain() {
    var future = new CompletableFuture<String>();
    for (int i = 0; i < 2; i++) {
      scheduler.spawn(() -> trace(scheduler.await(scheduler.completion(future))));
    }
    drive();
    future.complete("value");
    scheduler.start();
    runTask(() -> trace(scheduler.await(scheduler.completion(future))));
    assertTrace("value value value");
  }
}
