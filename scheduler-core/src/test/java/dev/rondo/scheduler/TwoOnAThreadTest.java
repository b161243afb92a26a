package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// Two schedulers of one thread: while a task of one has its turn, no task of the other can end. A
/// task that would block for that would block the thread for ever.
@BackendsDiffer
class TwoOnAThreadTest extends SchedulerTest {

  private Scheduler other;
  private Task<Integer> task;

  @BeforeEach
  void open() {
    other = newScheduler();
    task = other.spawn("theirs", () -> 7);
  }

  @AfterEach
  void close() {
    other.close();
  }

  private void assertRefused(Executable call) {
    String told = assertThrows(IllegalStateException.class, call).getMessage();
    assertTrue(told.contains("'theirs'") && told.contains("'main'"), told);
    assertTrue(told.contains("of another scheduler"), told);
    assertTrue(told.contains("completion("), told);
  }

  @Test
  void join_ofATaskOfTheOther_isRefused() {
    runTask(() -> {
      assertRefused(task::join);
      assertRefused(task::get);
      assertRefused(() -> task.get(1, TimeUnit.HOURS));
    });
    other.start();
    assertEquals(7, task.join());
  }

  @Test
  void join_ofTheFutureOfATaskOfTheOther_isRefused() {
    var future = task.toCompletableFuture();
    runTask(() -> {
      assertRefused(future::join);
      assertRefused(future::get);
      assertRefused(() -> future.get(1, TimeUnit.HOURS));
    });
    other.start();
    assertEquals(7, future.join());
  }

  /// On BOUND the call suspends only the task that makes it.
  @Test
  void join_ofTheFutureOfATaskOfTheSame_isRefusedIfItWouldBlockTheLoop() {
    runTask(() -> {
      Task<Integer> sister = scheduler.spawn("sister", () -> 8);
      var future = sister.toCompletableFuture();
      if (backend.mountsOnLoopThread() && !backend.sharesThread()) {
        assertEquals(8, future.join());
      } else {
        String told = assertThrows(IllegalStateException.class, future::join).getMessage();
        assertTrue(told.contains("'sister' by task 'main'"), told);
        sister.join();
      }
      assertEquals(8, future.get());
    });
  }

  @Test
  void join_ofAFutureThatDependsOnATask_isRefusedInTheSameWay() {
    var doubled = task.toCompletableFuture().thenApply(x -> 2 * x).thenApply(x -> x + 1);
    runTask(() -> {
      assertRefused(doubled::join);
      assertRefused(doubled::get);
      assertRefused(() -> doubled.get(1, TimeUnit.HOURS));
    });
    other.start();
    assertEquals(15, doubled.join());
  }

  /// It is complete, though the task has not ended.
  @Test
  void join_ofADependentFutureThatWasCompleted_returns() {
    var early = task.toCompletableFuture().thenApply(x -> 2 * x);
    early.complete(1);
    runTask(() -> assertEquals(1, early.join()));
    other.start();
  }

  @Test
  void join_ofOneThatHasEnded_returnsItsValue() throws Exception {
    other.start();
    runTask(() -> {
      assertEquals(7, task.join());
      assertEquals(7, task.get(1, TimeUnit.HOURS));
    });
  }

  @Test
  void completion_ofATaskOfTheOther_comesWhenThatIsDriven() {
    Task<Integer> main = scheduler.spawn("main", () -> scheduler.await(scheduler.completion(task)));
    scheduler.step();
    other.start();
    scheduler.start();
    assertEquals(7, main.join());
  }

  /// The inner one holds up the thread on which it would have to be ended.
  @Test
  void join_fromATaskOfAnInnerScheduler_isRefused() {
    runTask(() -> {
      try (Scheduler inner = innermost()) {
        Task<Void> main = inner.spawn("main", () -> assertRefused(task::join));
        inner.start();
        main.join();
      }
    });
    other.start();
  }

  /// In a task that runs on a thread of its own only HANDOFF can be nested.
  private Scheduler innermost() {
    return Thread.currentThread().isVirtual()
        ? Scheduler.builder().backend(CoroutineBackends.handoff()).build()
        : newScheduler();
  }
}
