package dev.rondo.scheduler.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// Edge cases of a task's `Future.get`, and of waits for its completion.
class TaskGetTest extends SchedulerTest {

  private Task<Integer> slow() {
    return scheduler.spawn(() -> {
      scheduler.yield();
      return 42;
    });
  }

  @Test
  void get_moreThanLongNanoseconds_isForEver() {
    Task<Integer> slow = slow();
    runTask(() -> assertEquals(42, slow.get(Long.MAX_VALUE, TimeUnit.DAYS)));
  }

  @Test
  void get_negativeLimit_hasPassed() {
    Task<Object> never = scheduler.spawn(() -> scheduler.suspend());
    runTask(() -> {
      assertThrows(
          java.util.concurrent.TimeoutException.class, () -> never.get(-1, TimeUnit.SECONDS));
      scheduler.scheduleTask(never);
    });
  }

  @Test
  void get_scheduledMeanwhile_failsWithTheSchedulersValue() {
    Task<Object> never = scheduler.spawn(() -> scheduler.suspend());
    Task<Object> getter = scheduler.spawn(() -> scheduledInstead(() -> never.get()));
    Task<Object> limited =
        scheduler.spawn(() -> scheduledInstead(() -> never.get(1, TimeUnit.DAYS)));
    runTask(() -> {
      scheduler.yield();
      scheduler.scheduleTask(getter, "a");
      scheduler.scheduleTask(limited, "b");
      assertEquals("a", getter.join());
      assertEquals("b", limited.join());
      scheduler.scheduleTask(never);
    });
  }

  private static @Nullable Object scheduledInstead(Executable wait) {
    return assertThrows(ScheduledDirectlyException.class, wait).value();
  }

  @Test
  void get_limitPassesAgainAndAgain_keepsOneListener() throws Exception {
    Task<Integer> slow = slow();
    elsewhere(() -> {
      for (int i = 0; i < 100; i++) {
        assertThrows(
            java.util.concurrent.TimeoutException.class, () -> slow.get(1, TimeUnit.NANOSECONDS));
      }
      return null;
    });
    assertEquals(1, listeners(slow));
    scheduler.start();
  }

  @Test
  void completion_limitPassesAgainAndAgain_keepsOneListener() {
    Task<Object> slow = scheduler.spawn(() -> scheduler.suspend());
    var counts = new ArrayList<Integer>();
    runTask(() -> {
      scheduler.completion(slow);
      counts.add(listeners(slow));
      for (int i = 0; i < 100; i++) {
        assertThrows(
            TimedOutException.class,
            () -> scheduler.await(scheduler.completion(slow), Duration.ofMillis(1)));
      }
      counts.add(listeners(slow));
      scheduler.scheduleTask(slow, "end");
      assertEquals("end", scheduler.await(scheduler.completion(slow)));
    });
    assertEquals(List.of(0, 1), counts);
  }

  private Task<Object> failing() {
    Task<Object> failing =
        scheduler.spawn(
            "failing",
            () -> {
              scheduler.suspend();
              throw new IllegalStateException("oops");
            });
    drive();
    return failing;
  }

  private void giveUpElsewhere(Task<?> failing) throws Exception {
    elsewhere(() ->
        assertThrows(
            java.util.concurrent.TimeoutException.class,
            () -> failing.get(1, TimeUnit.NANOSECONDS)));
  }

  private void assertEndIsReported(Task<?> failing) {
    scheduler.scheduleTask(failing);
    scheduler.start();
    assertEquals("task 'failing'", takeReported().getFirst().where());
  }

  @Test
  void get_limitPassesOnAnotherThread_failureIsReported() throws Exception {
    Task<Object> failing = failing();
    giveUpElsewhere(failing);
    assertEndIsReported(failing);
  }

  @Test
  void get_interruptedOnAnotherThread_failureIsReported() throws Exception {
    Task<Object> failing = failing();
    elsewhere(() -> {
      Thread.currentThread().interrupt();
      assertThrows(InterruptedException.class, () -> failing.get(1, TimeUnit.DAYS));
      Thread.currentThread().interrupt();
      return assertThrows(InterruptedException.class, failing::get);
    });
    assertEndIsReported(failing);
  }

  @Test
  void get_othersHaveGivenUp_failureIsReceived() throws Exception {
    Task<Object> failing = failing();
    giveUpElsewhere(failing);
    var received = new CompletableFuture<ExecutionException>();
    Thread getter =
        Thread.ofPlatform()
            .start(() -> received.complete(assertThrows(ExecutionException.class, failing::get)));
    while (getter.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    scheduler.scheduleTask(failing);
    scheduler.start();
    assertEquals("oops", received.get().getCause().getMessage());
  }

  @Test
  void completion_givenUp_failureIsReported() {
    Task<Object> failing = failing();
    runTask(() -> {
      assertThrows(
          TimedOutException.class,
          () -> scheduler.await(scheduler.completion(failing), Duration.ofMillis(1)));
      scheduler.scheduleTask(failing);
    });
    assertEquals("task 'failing'", takeReported().getFirst().where());
  }

  @Test
  void completion_givenUpAndAwaitedAfterTheEnd_failureIsReceived() {
    Task<Object> failing = failing();
    runTask(() -> {
      assertThrows(
          TimedOutException.class,
          () -> scheduler.await(scheduler.completion(failing), Duration.ofMillis(1)));
      scheduler.scheduleTask(failing);
      scheduler.yield();
      assertEquals(TaskState.FAILED, failing.taskState());
      var received =
          assertThrows(
              IllegalStateException.class, () -> scheduler.await(scheduler.completion(failing)));
      assertEquals("oops", received.getMessage());
    });
  }

  @Test
  void completion_givenUpAndAwaitedAgain_failureIsReceived() {
    Task<Object> failing = failing();
    runTask(() -> {
      assertThrows(
          TimedOutException.class,
          () -> scheduler.await(scheduler.completion(failing), Duration.ofMillis(1)));
      scheduler.spawn(() -> scheduler.scheduleTask(failing));
      assertThrows(
          IllegalStateException.class, () -> scheduler.await(scheduler.completion(failing)));
    });
  }

  /// Has a task wait for the completion of a failed or failing task, and cancels it before the loop
  /// makes a pass.
  private void giveUpBeforeThePass(Task<?> failing, Waitable<?> completion) {
    for (int i = 0; i < 600; i++) {
      scheduler.yield(); // the passes become rare
    }
    boolean hasFailed = failing.isDone();
    Task<Object> waiting = scheduler.spawn("waiting", () -> scheduler.await(completion));
    scheduler.yield();
    if (!hasFailed) {
      scheduler.scheduleTask(failing);
      scheduler.yield();
    }
    assertEquals(TaskState.FAILED, failing.taskState());
    assertEquals(TaskState.WAITING, waiting.taskState());
    assertEquals(List.of(), takeReported());
    waiting.cancel("test");
  }

  @Test
  void completion_givenUpBeforeItIsDelivered_failureIsReported() {
    Task<Object> failing = failing();
    runTask(() -> giveUpBeforeThePass(failing, scheduler.completion(failing)));
    assertEquals("task 'failing'", takeReported().getFirst().where());
  }

  @Test
  void completion_givenUpBeforeItIsDelivered_failureThatAJoinReceivesIsNotReported() {
    Task<Object> failing = failing();
    runTask(() -> {
      Task<Object> joining =
          scheduler.spawn(() -> assertThrows(TaskFailedException.class, failing::join));
      giveUpBeforeThePass(failing, scheduler.completion(failing));
      joining.join();
    });
  }

  @Test
  void completion_givenUpInAnotherScheduler_failureIsReported() {
    Task<Object> failing = failing();
    try (Scheduler other = newScheduler()) {
      Task<Object> waiting = other.spawn(() -> other.await(other.completion(failing)));
      other.step();
      scheduler.scheduleTask(failing);
      scheduler.start();
      assertEquals(List.of(), takeReported());
      waiting.cancel("test");
      other.start();
    }
    scheduler.start();
    assertEquals("task 'failing'", takeReported().getFirst().where());
  }

  private void failUnobserved(Task<?> failing) {
    scheduler.scheduleTask(failing);
    scheduler.yield();
    assertEquals(TaskState.FAILED, failing.taskState());
  }

  @Test
  void completion_ofAFailedTaskGivenUpBeforeItIsDelivered_failureIsReportedOnce() {
    Task<Object> failing = failing();
    runTask(() -> {
      failUnobserved(failing);
      giveUpBeforeThePass(failing, scheduler.completion(failing));
    });
    assertEquals(List.of("task 'failing'"), takeReported().stream().map(Reported::where).toList());
  }

  @Test
  void cancelling_ofAFailedTaskGivenUpBeforeItIsDelivered_failureIsReported() {
    Task<Object> failing = failing();
    runTask(() -> {
      failUnobserved(failing);
      giveUpBeforeThePass(failing, Waitable.cancelling(failing));
    });
    assertEquals("task 'failing'", takeReported().getFirst().where());
  }

  /// Without a timer, a failure that nothing waits for is reported at once.
  @Test
  void completion_awaitedInAStep_failureIsReceived() {
    try (Scheduler own = newScheduler()) {
      Task<Object> failing =
          own.newTask(
              "failing",
              () -> {
                throw new IllegalStateException("oops");
              });
      own.spawn(() -> {
        assertThrows(IllegalStateException.class, () -> own.await(own.completion(failing)));
        trace("received");
      });
      own.step();
      own.scheduleTask(failing);
      while (own.step()) {}
    }
    assertTrace("received");
  }

  /// The listeners form a list that grows at its head.
  private static int listeners(Task<?> task) throws ReflectiveOperationException {
    int count = 0;
    Object listener = field(task, TaskResult.class, "completion");
    for (; listener != null; listener = field(listener, listener.getClass(), "before")) {
      count++;
    }
    return count;
  }

  private static @Nullable Object field(@Nullable Object of, Class<?> type, String name)
      throws ReflectiveOperationException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }
}
