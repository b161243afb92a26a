package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.rondo.scheduler.testing.SchedulerTest;
import org.junit.jupiter.api.Test;

/// A task that is held up while it tells others of its end.
class EndingTest extends SchedulerTest {

  private void nap() {
    try {
      Thread.sleep(5); // on BOUND the loop goes on meanwhile
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
