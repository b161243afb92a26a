package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.MoreExecutors;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// A task as a `Future`, a `ListenableFuture` and a `CompletableFuture`.
class FutureTest extends SchedulerTest {

  private final IOException broken = new IOException("broken");

  private Task<String> failing() {
    return scheduler.newTask(
        "failing",
        () -> {
          throw broken;
        });
  }

  @Test
  void get_ended_tellsHow() throws Exception {
    Task<String> good = scheduler.spawn(() -> "value");
    Task<String> bad = failing();
    scheduler.scheduleTask(bad);
    Task<String> gone = scheduler.spawn(() -> "never");
    gone.cancel("why");
    scheduler.start();
    takeReported();
    for (Task<String> task : List.of(good, bad, gone)) {
      assertTrue(task.isDone());
      assertEquals(task == gone, task.isCancelled());
    }
    assertEquals("value", good.get());
    assertEquals("value", good.get(1, TimeUnit.SECONDS));
    assertSame(broken, assertThrows(ExecutionException.class, bad::get).getCause());
    assertThrows(CancellationException.class, gone::get);
    assertEquals("value", elsewhere(good::get));
    assertThrows(ExecutionException.class, () -> elsewhere(bad::get));
  }

  @Test
  void get_inATask_suspendsIt() {
    Task<String> good = scheduler.newTask("good", () -> "value");
    Task<String> bad = failing();
    scheduler.spawn(() -> trace(good.get()));
    scheduler.spawn(() -> trace(good.get(1, TimeUnit.SECONDS)));
    scheduler.spawn(() -> {
      assertSame(broken, assertThrows(ExecutionException.class, bad::get).getCause());
      trace("failed");
    });
    scheduler.spawn(() -> {
      assertThrows(ExecutionException.class, () -> bad.get(1, TimeUnit.SECONDS));
      trace("failed");
    });
    drive();
    scheduler.scheduleTask(good);
    scheduler.scheduleTask(bad);
    scheduler.start();
    assertTrace("value value failed failed");
  }

  @Test
  void get_withLimitInATask_timesOut() {
    Task<Object> slow = scheduler.spawn(() -> scheduler.suspend());
    drive();
    runTask(() -> {
      var told =
          assertThrows(
              java.util.concurrent.TimeoutException.class, () -> slow.get(1, TimeUnit.SECONDS));
      assertInstanceOf(TimedOutException.class, told.getCause());
      scheduler.scheduleTask(slow);
    });
  }

  @Test
  void get_withLimitOnAnotherThread_timesOut() throws Exception {
    Task<Object> slow = scheduler.spawn("slow", () -> scheduler.suspend());
    drive();
    elsewhere(() -> {
      var told =
          assertThrows(
              java.util.concurrent.TimeoutException.class, () -> slow.get(1, TimeUnit.NANOSECONDS));
      assertTrue(told.getMessage().contains("'slow'"), told.getMessage());
      return null;
    });
    scheduler.scheduleTask(slow);
    scheduler.start();
  }

  @Test
  void get_interruptedOnAnotherThread_throws() throws Exception {
    Task<Object> slow = scheduler.spawn(() -> scheduler.suspend());
    drive();
    elsewhere(() -> {
      Thread.currentThread().interrupt();
      assertThrows(InterruptedException.class, slow::get);
      return null;
    });
    scheduler.scheduleTask(slow);
    scheduler.start();
  }

  @Test
  void addListener_beforeAndAfterTheEnd_runsOnItsExecutor() {
    Task<String> task = scheduler.newTask("t", () -> "value");
    task.addListener(() -> trace("first"), MoreExecutors.directExecutor());
    task.addListener(() -> trace("second"), scheduler);
    task.addListener(() -> trace("third"), MoreExecutors.directExecutor());
    scheduler.scheduleTask(task);
    scheduler.start();
    assertTrace("first third second");
    task.addListener(() -> trace("late"), MoreExecutors.directExecutor());
    assertTrace("late");
  }

  @Test
  void addListener_throwsOrIsRejected_isReportedAndTheRestIsTold() {
    Task<String> task = scheduler.newTask("t", () -> "value");
    task.addListener(
        () -> {
          throw new IllegalStateException("listener");
        },
        MoreExecutors.directExecutor());
    task.addListener(
        () -> {
          throw new AssertionError("listener error");
        },
        MoreExecutors.directExecutor());
    task.addListener(
        () -> {},
        command -> {
          throw new RejectedExecutionException("executor");
        });
    task.addListener(() -> trace("told"), MoreExecutors.directExecutor());
    scheduler.spawn(() -> trace(task.join()));
    drive();
    scheduler.scheduleTask(task);
    scheduler.start();
    assertTrace("told value");
    assertEquals(3, takeReported().size());
  }

  @Test
  void addListener_ofAFailure_countsAsObserving() {
    Task<String> task = failing();
    task.addListener(() -> trace("told"), MoreExecutors.directExecutor());
    scheduler.scheduleTask(task);
    scheduler.start();
    assertTrace("told");
  }

  @Test
  void toCompletableFuture_endsAsTheTaskDoes() {
    Task<String> good = scheduler.newTask("good", () -> "value");
    Task<String> bad = failing();
    Task<String> gone = scheduler.newTask("gone", () -> "never");
    CompletableFuture<String> goodFuture = good.toCompletableFuture();
    CompletableFuture<String> badFuture = bad.toCompletableFuture();
    CompletableFuture<String> goneFuture = gone.toCompletableFuture();
    scheduler.scheduleTask(good);
    scheduler.scheduleTask(bad);
    assertFalse(goodFuture.isDone());
    gone.cancel("why");
    scheduler.start();
    assertEquals("value", goodFuture.join());
    assertSame(broken, badFuture.exceptionNow());
    assertTrue(goneFuture.isCancelled());
    assertEquals("value", good.toCompletableFuture().join());
  }

  @Test
  void toCompletableFuture_cancelled_cancelsNothingHere() {
    Task<String> task = scheduler.newTask("t", () -> "value");
    task.toCompletableFuture().cancel(true);
    scheduler.scheduleTask(task);
    scheduler.start();
    assertEquals("value", task.join());
  }

  @Test
  void outcome_tellsHowItEnded() {
    Task<String> task = scheduler.newTask("t", () -> "value");
    assertNull(task.outcome());
    scheduler.scheduleTask(task);
    scheduler.start();
    assertEquals(new Outcome.Success<>("value"), task.outcome());
    assertEquals("task 't' (SUCCEEDED)", task.toString());
  }
}
