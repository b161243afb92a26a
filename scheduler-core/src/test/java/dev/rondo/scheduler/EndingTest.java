package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// A task that blocks while it notifies others of its end.
class EndingTest extends SchedulerTest {

  /// Blocks until another thread has seen it blocked. On BOUND the loop goes on meanwhile.
  private void nap() {
    Thread napper = Thread.currentThread();
    var awake = new CountDownLatch(1);
    Thread.ofPlatform()
        .start(() -> {
          while (napper.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
          }
          awake.countDown();
        });
    try {
      awake.await();
    } catch (InterruptedException e) {
      trace("interrupted");
    }
  }

  @Test
  void finish_listenerBlocks_endsAllTheSame() {
    Task<Integer> task = scheduler.spawn(() -> 42);
    task.addListener(this::nap, Runnable::run);
    Task<Integer> joiner =
        scheduler.spawn(() -> {
          assertFalse(task.cancel("too late"));
          return task.join();
        });
    scheduler.start();
    assertEquals(TaskState.SUCCEEDED, task.taskState());
    assertEquals(42, joiner.join());
    runTask(() -> assertEquals(42, task.join()));
  }

  @Test
  void finish_failureHandlerBlocks_laterJoinersAreTold() {
    Scheduler other =
        Scheduler.builder().backend(backend).failureHandler((where, failure) -> nap()).build();
    Task<Void> task =
        other.spawn(() -> {
          throw new IllegalStateException("test");
        });
    Task<String> joiner =
        other.spawn(() -> {
          try {
            task.join();
            return "not told";
          } catch (TaskFailedException e) {
            return "told";
          }
        });
    other.start();
    assertEquals("told", joiner.join());
    assertEquals(TaskState.FAILED, task.taskState());
    other.close();
  }

  @Test
  void finish_listenerAwaits_endsAllTheSame() {
    var event = new WaitQueueEvent();
    Task<Integer> task = scheduler.spawn(() -> 42);
    task.addListener(() -> scheduler.await(event), Runnable::run);
    scheduler.spawn(() -> event.fireAll("go"));
    scheduler.start();
    assertEquals(TaskState.SUCCEEDED, task.taskState());
    runTask(() -> assertEquals(42, task.join()));
  }
}
