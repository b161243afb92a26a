package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/// Whether giving up a wait cancels the future, and tasks as stages.
class CancellingCompletionTest extends SchedulerTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final CompletableFuture<String> future = new CompletableFuture<>();

  private Waitable<String> cancelling() {
    return Waitable.cancelling(future);
  }

  @Test
  void completion_givenUp_leavesTheFutureAlone() {
    Task<String> waiter = scheduler.spawn(() -> scheduler.await(scheduler.completion(future)));
    drive();
    waiter.cancel("why");
    drive();
    assertFalse(future.isDone());
    runTask(() ->
        assertThrows(
            TimedOutException.class, () -> scheduler.await(scheduler.completion(future), SECOND)));
    assertFalse(future.isDone());
  }

  @Test
  void cancelling_completed_isDelivered() {
    scheduler.spawn(() -> trace(scheduler.await(cancelling())));
    drive();
    future.complete("value");
    scheduler.start();
    assertTrace("value");
    assertFalse(future.isCancelled());
  }

  @Test
  void cancelling_taskCancelled_cancelsTheFuture() {
    Task<String> waiter = scheduler.spawn(() -> scheduler.await(cancelling()));
    drive();
    waiter.cancel("why");
    assertTrue(future.isCancelled());
    drive();
    assertTrue(waiter.isCancelled());
  }

  @Test
  void cancelling_timedOut_cancelsTheFuture() {
    runTask(() -> {
      assertThrows(TimedOutException.class, () -> scheduler.await(cancelling(), SECOND));
      assertTrue(future.isCancelled());
    });
  }

  @Test
  void cancelling_anotherBranchWins_cancelsTheFuture() {
    var event = new WaitQueueEvent();
    scheduler.spawn(() -> trace(scheduler.<Object>select(cancelling(), event).index()));
    drive();
    assertFalse(future.isDone());
    event.fireAll("now");
    scheduler.start();
    assertTrace("1");
    assertTrue(future.isCancelled());
  }

  @Test
  void cancelling_othersWait_failAsCancelled() {
    Task<String> first = scheduler.spawn(() -> scheduler.await(cancelling()));
    scheduler.spawn(() -> {
      assertThrows(
          CancellationException.class, () -> scheduler.await(scheduler.completion(future)));
      trace("told");
    });
    drive();
    first.cancel("why");
    scheduler.start();
    assertTrace("told");
  }

  @Test
  void cancelling_cancelThrows_isReported() {
    var failure = new IllegalStateException("on purpose");
    var hostile =
        new CompletableFuture<String>() {
          @Override
          public boolean cancel(boolean mayInterruptIfRunning) {
            throw failure;
          }
        };
    Task<String> waiter = scheduler.spawn(() -> scheduler.await(Waitable.cancelling(hostile)));
    drive();
    waiter.cancel("why");
    drive();
    assertTrue(waiter.isCancelled());
    assertSame(failure, takeReported().getFirst().failure());
  }

  @Test
  void cancelling_plainFuture_isCancelled() {
    var plain = new FutureTask<>(() -> "never");
    Task<String> waiter = scheduler.spawn(() -> scheduler.await(Waitable.cancelling(plain)));
    drive();
    waiter.cancel("why");
    assertTrue(plain.isCancelled());
    drive();
  }
}
