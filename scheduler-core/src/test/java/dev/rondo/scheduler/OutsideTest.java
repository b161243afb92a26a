package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.SettableFuture;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// Other threads, and the futures that they complete.
class OutsideTest extends SchedulerTest {

  @Test
  void anyMethod_onAnotherThread_namesBothThreads() throws Exception {
    Task<Void> task = scheduler.newTask("t", () -> {});
    String here = Thread.currentThread().getName();
    elsewhere(() -> {
      for (Executable call :
          List.<Executable>of(
              scheduler::start,
              scheduler::step,
              () -> scheduler.run(null),
              () -> scheduler.spawn(() -> {}),
              () -> scheduler.scheduleTask(task),
              () -> scheduler.queue().unschedule(task),
              scheduler::tasks,
              scheduler.queue()::readyTasks,
              scheduler::yield,
              scheduler::suspend,
              () -> scheduler.newScope("s"),
              scheduler::keepAlive,
              scheduler::close,
              () -> task.trap(Trap.onEnd(o -> {})))) {
        var told = assertThrows(WrongThreadException.class, call);
        assertTrue(told.getMessage().contains("'elsewhere'"), told.getMessage());
        assertTrue(told.getMessage().contains("'" + here + "'"), told.getMessage());
        assertTrue(told.getMessage().contains("post(() -> spawn("), told.getMessage());
      }
      assertNull(scheduler.currentTask());
      assertFalse(scheduler.inMainTask());
      assertFalse(task.isDone());
      assertEquals("t", task.name());
      return null;
    });
    scheduler.scheduleTask(task);
    scheduler.start();
  }

  @Test
  void execute_fromManyThreads_runsEachOnceInItsOrder() throws Exception {
    int threads = 4;
    int each = 500;
    var seen = new ArrayList<List<Integer>>();
    for (int i = 0; i < threads; i++) {
      seen.add(new ArrayList<>());
    }
    AtomicInteger left = new AtomicInteger(threads * each);
    try (var _ = scheduler.keepAlive()) {
      Task<Object> keeper = scheduler.spawn("keeper", () -> scheduler.suspend());
      var posters = new ArrayList<Thread>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        posters.add(
            Thread.ofPlatform()
                .start(() -> {
                  for (int j = 0; j < each; j++) {
                    int number = j;
                    scheduler.execute(() -> {
                      seen.get(thread).add(number);
                      if (left.decrementAndGet() == 0) {
                        scheduler.scheduleTask(keeper);
                      }
                    });
                  }
                }));
      }
      scheduler.start();
      for (Thread poster : posters) {
        poster.join();
      }
    }
    for (List<Integer> numbers : seen) {
      assertEquals(each, numbers.size());
      assertEquals(numbers.stream().sorted().toList(), numbers);
    }
  }

  @Test
  void execute_onItsOwnThread_goesToTheBack() {
    scheduler.spawn(() -> {
      scheduler.execute(() -> trace("executed"));
      trace("first");
      scheduler.yield();
      trace("last");
    });
    scheduler.start();
    assertTrace("first executed last");
    scheduler.execute(() -> trace("outside"));
    scheduler.start();
    assertTrace("outside");
  }

  @Test
  void execute_fails_isReported() {
    scheduler.execute(() -> {
      throw new IllegalStateException("command");
    });
    scheduler.start();
    assertEquals("command", takeReported().getFirst().failure().getMessage());
  }

  @Test
  void execute_null_isRefusedAtOnce() throws Exception {
    assertThrows(NullPointerException.class, () -> scheduler.execute(null));
    elsewhere(() -> assertThrows(NullPointerException.class, () -> scheduler.execute(null)));
    scheduler.start();
  }

  @Test
  void post_whileTheSchedulerStops_isDoneInOrderAndMakesNoTask() throws Exception {
    Task<Object> left = scheduler.spawn("left", () -> scheduler.suspend());
    drive();
    var _ = scheduler.shutdown(Duration.ofHours(1), Duration.ofHours(1));
    elsewhere(() -> {
      assertTrue(scheduler.post(() -> trace("one in " + scheduler.currentTask())));
      assertTrue(
          scheduler.post(() -> {
            throw new IllegalStateException("posted");
          }));
      assertTrue(scheduler.post(() -> scheduler.scheduleTask(left)));
      assertThrows(NullPointerException.class, () -> scheduler.post(null));
      return null;
    });
    scheduler.start();
    assertTrace("one in null");
    assertEquals("posted", takeReported().getFirst().failure().getMessage());
    assertTrue(left.isDone());
  }

  @Test
  void post_schedulerCloses_whatWasTakenIsDoneAndNothingIsTakenAfterwards() {
    Scheduler closed = newScheduler();
    assertTrue(closed.post(() -> trace("told")));
    closed.close();
    assertTrace("told");
    assertFalse(closed.post(() -> trace("never")));
  }

  @Test
  void expectOutsideCalls_closed_deadlockIsToldAgain() {
    KeepAlive calls = scheduler.keepAlive();
    Task<Object> task = scheduler.spawn(() -> scheduler.suspend());
    Thread caller =
        Thread.ofPlatform().start(() -> scheduler.execute(() -> scheduler.scheduleTask(task)));
    scheduler.start();
    assertTrue(task.isDone());
    calls.close();
    calls.close();
    Task<Object> other = scheduler.spawn(() -> scheduler.suspend());
    assertThrows(DeadlockException.class, scheduler::start);
    scheduler.scheduleTask(other);
    scheduler.start();
    assertTrue(caller.getName() != null);
  }

  // Completions.

  private void completesElsewhere(Future<String> future, Runnable complete) {
    Task<String> task = scheduler.spawn(() -> scheduler.await(scheduler.completion(future)));
    drive();
    assertEquals(TaskState.WAITING, task.taskState());
    Thread.ofPlatform().start(complete);
    scheduler.start();
    assertEquals("value", task.join());
  }

  @Test
  void completion_ofEachKindOfFuture_isAwaited() {
    var stage = new CompletableFuture<String>();
    completesElsewhere(stage, () -> stage.complete("value"));
    var listenable = SettableFuture.<String>create();
    completesElsewhere(listenable, () -> listenable.set("value"));
    var plain = new FutureTask<>(() -> "value");
    completesElsewhere(plain, plain);
  }

  @Test
  void completion_done_isDeliveredAfterGivingWay() {
    scheduler.spawn(
        () -> trace(scheduler.await(scheduler.completion(CompletableFuture.completedFuture("v")))));
    scheduler.spawn(() -> trace("other"));
    scheduler.start();
    assertTrace("other v");
  }

  @Test
  void completion_failed_failureComesOutAsItIs() {
    var broken = new IOException("broken");
    runTask(() -> {
      Future<String> stage = CompletableFuture.<String>failedFuture(broken).thenApply(v -> v);
      assertSame(
          broken,
          assertThrows(IOException.class, () -> scheduler.await(scheduler.completion(stage))));
      Future<String> listenable = Futures.immediateFailedFuture(broken);
      assertSame(
          broken,
          assertThrows(IOException.class, () -> scheduler.await(scheduler.completion(listenable))));
      var plain =
          new FutureTask<String>(() -> {
            throw broken;
          });
      plain.run();
      assertSame(
          broken,
          assertThrows(
              IOException.class,
              () -> scheduler.await(scheduler.completion((Future<String>) plain))));
    });
  }

  @Test
  void completion_ofATaskOfAnotherScheduler_isAwaited() {
    try (Scheduler other = newScheduler()) {
      Task<String> task = other.spawn(() -> "from the other");
      Task<String> waiter =
          scheduler.spawn(() -> scheduler.await(scheduler.completion((Future<String>) task)));
      drive();
      other.start();
      scheduler.start();
      assertEquals("from the other", waiter.join());
    }
  }

  @Test
  void completion_lateAfterATimeout_isDropped() {
    var future = new CompletableFuture<String>();
    Waitable<String> completion = scheduler.completion(future);
    var signal = new WaitQueueEvent();
    Task<Void> task =
        scheduler.spawn(() -> {
          assertThrows(
              TimedOutException.class, () -> scheduler.await(completion, Duration.ofSeconds(1)));
          trace(scheduler.await(signal));
          trace(scheduler.await(completion));
        });
    assertThrows(DeadlockException.class, scheduler::start);
    future.complete("late");
    // It does not wake the task from its current wait, and no task waits for it any more.
    assertThrows(DeadlockException.class, scheduler::start);
    assertEquals(TaskState.WAITING, task.taskState());
    signal.fireAll("event");
    scheduler.start();
    assertTrace("event late");
  }

  // Blocking calls.

  @Test
  void blocking_others_goOn() {
    var go = new CountDownLatch(1);
    scheduler.spawn(() ->
        trace(
            scheduler.blocking(() -> {
              go.await();
              assertTrue(Thread.currentThread().isVirtual());
              return "blocked";
            })));
    scheduler.spawn(() -> {
      trace("other");
      go.countDown();
    });
    scheduler.start();
    assertTrace("other blocked");
  }

  /// The common pool has few threads, which a program may block.
  @Test
  void blocking_whileTheCommonPoolIsBusy_begins() {
    var busy = new CountDownLatch(1);
    for (int i = 0; i <= ForkJoinPool.getCommonPoolParallelism(); i++) {
      ForkJoinPool.commonPool()
          .execute(() -> {
            try {
              busy.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
    try {
      runTask(() -> assertEquals("called", scheduler.blocking(() -> "called")));
    } finally {
      busy.countDown();
    }
  }

  @Test
  void blocking_throws_comesOutAsItIs() {
    var broken = new IOException("broken");
    runTask(() ->
        assertSame(
            broken,
            assertThrows(
                IOException.class,
                () ->
                    scheduler.blocking(() -> {
                      throw broken;
                    }))));
  }

  @Test
  void blocking_throwsWhatAFutureThrows_comesOutAsItIs() {
    var future = CompletableFuture.failedFuture(new IOException("inner"));
    runTask(() -> {
      var thrown = assertThrows(CompletionException.class, () -> scheduler.blocking(future::join));
      assertEquals("inner", thrown.getCause().getMessage());
    });
  }

  @Test
  void blocking_cancelled_interruptsTheCall() throws Exception {
    var entered = new CountDownLatch(1);
    var interrupted = new CompletableFuture<Boolean>();
    Task<Void> task =
        scheduler.spawn(() ->
            scheduler.blocking(() -> {
              entered.countDown();
              try {
                new SynchronousQueue<Integer>().take();
                return null;
              } catch (InterruptedException e) {
                interrupted.complete(true);
                throw e;
              }
            }));
    drive();
    entered.await();
    task.cancel("why");
    scheduler.start();
    assertTrue(task.isCancelled());
    assertTrue(interrupted.get());
  }

  @Test
  void blocking_callsBackIntoTheScheduler_isTold() {
    runTask(
        () -> scheduler.blocking(() -> assertThrows(WrongThreadException.class, scheduler::yield)));
  }

  @Test
  void blocking_manyAtOnce_allComeBack() {
    AtomicInteger done = new AtomicInteger();
    for (int i = 0; i < 100; i++) {
      scheduler.spawn(() -> scheduler.blocking(done::incrementAndGet));
    }
    scheduler.start();
    assertEquals(100, done.get());
  }

  // Tasks as futures, from other threads.

  @Test
  void get_onAnotherThread_blocksUntilTheTaskEnds() throws Exception {
    Task<Object> task = scheduler.spawn(() -> scheduler.suspend());
    try (var pool = Executors.newCachedThreadPool()) {
      var begun = new CountDownLatch(3);
      Future<Object> get =
          pool.submit(() -> {
            begun.countDown();
            return task.get();
          });
      Future<Object> limited =
          pool.submit(() -> {
            begun.countDown();
            return task.get(1, TimeUnit.DAYS);
          });
      Future<Object> join =
          pool.submit(() -> {
            begun.countDown();
            return task.join();
          });
      begun.await();
      drive();
      scheduler.scheduleTask(task, "result");
      scheduler.start();
      assertEquals("result", get.get());
      assertEquals("result", limited.get());
      assertEquals("result", join.get());
    }
  }

  @Test
  void completion_waitsThatAreGivenUp_leaveOneCallbackOnTheFuture() {
    var future = new CompletableFuture<String>();
    runTask(() -> {
      for (int i = 0; i < 100; i++) {
        assertThrows(
            TimedOutException.class,
            () -> scheduler.await(scheduler.completion(future), Duration.ofMillis(1)));
        scheduler.select(scheduler.completion(future), Waitable.always("other"));
      }
      assertEquals(1, future.getNumberOfDependents());
      scheduler.spawn(() -> future.complete("done"));
      assertEquals("done", scheduler.await(scheduler.completion(future)));
    });
  }
}
