package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A task that was made and never scheduled: nothing waits for it for ever when its scheduler
/// closes.
class CloseUnbegunTest extends SchedulerTest {

  private Task<Integer> unbegun() {
    return scheduler.newTask("unbegun", () -> 7);
  }

  private static String told(CompletableFuture<?> future) {
    Object told = future.<@Nullable Object>handle((value, failure) -> failure).join();
    return assertInstanceOf(CancellationException.class, told).getMessage();
  }

  private static void assertCancelled(CompletableFuture<?> future) {
    assertTrue(future.isDone(), "waits for ever");
    String told = told(future);
    assertTrue(told.contains("'unbegun'") && told.contains("the scheduler closes"), told);
  }

  @Test
  void close_aFutureOfThisThread_endsCancelled() {
    Task<Integer> task = unbegun();
    CompletableFuture<Integer> future = task.toCompletableFuture();
    task.addListener(() -> trace(task.taskState()), Runnable::run);
    scheduler.close();
    assertCancelled(future);
    assertTrace("CANCELLED");
    assertTrue(task.isCancelled());
  }

  @Test
  void close_aFutureOfAnotherThread_endsCancelled() throws Exception {
    Task<Integer> task = unbegun();
    CompletableFuture<Integer> future = elsewhere(task::toCompletableFuture);
    scheduler.close();
    assertCancelled(future);
  }

  @Test
  void close_aThreadThatJoins_isTold() throws Exception {
    Task<Integer> task = unbegun();
    var join = new FutureTask<>(() -> assertThrows(CancellationException.class, task::join));
    Thread.ofPlatform().start(join);
    scheduler.close();
    assertTrue(join.get().getMessage().contains("'unbegun'"));
  }

  @Test
  void futureTakenAfterTheClose_endsAtOnce() throws Exception {
    Task<Integer> here = unbegun();
    Task<Integer> there = unbegun();
    scheduler.close();
    assertCancelled(here.toCompletableFuture());
    assertCancelled(elsewhere(there::toCompletableFuture));
    assertTrue(there.isCancelled());
    assertFalse(there.cancel("again"));
  }

  @Test
  void close_afterItHasRun_changesNothing() throws Exception {
    Task<Integer> task = unbegun();
    CompletableFuture<Integer> here = task.toCompletableFuture();
    CompletableFuture<Integer> there = elsewhere(task::toCompletableFuture);
    assertTrue(scheduler.scheduleTask(task));
    scheduler.start();
    scheduler.close();
    assertEquals(7, here.join());
    assertEquals(7, there.join());
  }

  @Test
  void cancel_beforeTheClose_isWhatIsTold() {
    Task<Integer> task = unbegun();
    CompletableFuture<Integer> future = task.toCompletableFuture();
    assertTrue(task.cancel("not wanted"));
    scheduler.close();
    String told = told(future);
    assertTrue(told.contains("not wanted"), told);
  }

  /// It could not be armed, and is as new as before.
  @Test
  void close_afterAWaitThatFailedToBegin_endsIt() {
    Task<Integer> task = unbegun();
    CompletableFuture<Integer> future = task.toCompletableFuture();
    Waitable<Object> broken =
        new Waitable<>() {
          @Override
          public void arm(Waiter<? super Object> waiter) {
            throw new UnsupportedOperationException("broken");
          }

          @Override
          public void disarm(Waiter<? super Object> waiter) {}
        };
    assertThrows(
        UnsupportedOperationException.class, () -> scheduler.queue().scheduleOn(task, broken));
    scheduler.close();
    assertCancelled(future);
  }
}
