package dev.rondo.condition.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.condition.OnEveryBackend;
import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.testing.BackendsDiffer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@BackendsDiffer
final class PromiseTest extends OnEveryBackend {

  private Promise<String> promise;

  @BeforeEach
  void makePromise() {
    promise = new Promise<>(scheduler, "p");
  }

  private Task<Void> claimer(String name) {
    return scheduler.spawn(name, () -> log(name + " " + promise.claim()));
  }

  // Fulfilling.

  @Test
  void fulfill_severalWait_allGetItInOrderAndLaterOnesAtOnce() {
    claimer("a");
    claimer("b");
    settle();
    assertFalse(promise.isDone());
    assertNull(promise.outcome());
    assertTrue(promise.fulfill("x"));
    assertTrue(promise.isDone());
    claimer("late");
    scheduler.spawn(() -> log("other"));
    scheduler.start();
    assertEquals(List.of("a x@0", "b x@0", "late x@0", "other@0"), log);
    assertEquals(new Outcome.Success<>("x"), promise.outcome());
    assertEquals("promise 'p'", promise.toString());
  }

  @Test
  void fulfill_twice_secondAnswersFalseAndChangesNothing() {
    assertTrue(promise.fulfill(null));
    assertFalse(promise.fulfill("second"));
    assertFalse(promise.fail(new IOException()));
    promise.close();
    run(() -> assertNull(promise.claim()));
  }

  @Test
  void fail_claimersThrowItAsItIs() {
    var failure = new IOException("on purpose");
    scheduler.spawn(() -> {
      assertSame(failure, assertThrows(IOException.class, promise::claim));
      log("failed");
    });
    settle();
    assertTrue(promise.fail(failure));
    assertFalse(promise.fulfill("late"));
    scheduler.start();
    run(() -> assertSame(failure, assertThrows(IOException.class, promise::claim)));
    assertEquals(List.of("failed@0"), log);
    assertThrows(NullPointerException.class, () -> promise.fail(null));
  }

  @Test
  void close_notFulfilled_claimsFail() {
    String thrown = "promise 'p' was closed without a value or failure";
    scheduler.spawn(() -> {
      assertEquals(thrown, assertThrows(AbandonedException.class, promise::claim).getMessage());
      log("failed");
    });
    settle();
    try (var _ = promise) {
      log("gives up");
    }
    promise.close();
    scheduler.start();
    assertEquals(List.of("gives up@0", "failed@0"), log);
    assertFalse(promise.fulfill("late"));
    run(() -> assertThrows(AbandonedException.class, promise::claim));
  }

  // Waits that end early.

  @Test
  void claim_endsOtherwise_leavesNothing() {
    Task<Void> cancelled = claimer("cancelled");
    Task<?> scheduled =
        scheduler.spawn(() -> assertThrows(IllegalStateException.class, promise::claim));
    run(() -> {
      assertThrows(TimedOutException.class, () -> scheduler.await(promise, ms(5)));
      cancelled.cancel("test");
      assertTrue(scheduler.scheduleTask(scheduled, "not the promised"));
      assertEquals(0, promise.waiterCount());
      scheduler.yield();
      assertTrue(promise.fulfill("x"));
    });
    scheduled.join();
    assertEquals(new Outcome.Success<>("x"), promise.outcome());
  }

  @Test
  void claim_scheduledDirectlyAndThenFulfilled_failsAndCanClaimAgain() {
    Task<String> task =
        scheduler.spawn(() -> {
          assertThrows(ScheduledDirectlyException.class, promise::claim);
          return promise.claim();
        });
    settle();
    scheduler.scheduleTask(task, "not the promised");
    promise.fulfill("x");
    scheduler.start();
    assertEquals("x", task.join());
  }

  @Test
  void claim_outsideOfATask_saysSo() {
    assertThrows(IllegalStateException.class, promise::claim);
  }

  // Several.

  private List<Promise<String>> three() {
    return List.of(promise, new Promise<>(scheduler, "q"), new Promise<>(scheduler, "r"));
  }

  @Test
  void awaitAll_valuesInOrder() {
    List<Promise<String>> promises = three();
    Task<List<String>> task = scheduler.spawn(() -> Promise.awaitAll(promises));
    settle();
    promises.get(2).fulfill("r");
    promises.get(0).fulfill("p");
    settle();
    assertFalse(task.isDone());
    promises.get(1).fulfill("q");
    scheduler.start();
    assertEquals(List.of("p", "q", "r"), task.join());
    run(() -> assertEquals(List.of(), Promise.awaitAll(List.of())));
  }

  @Test
  void awaitAll_someFail_waitsForAllAndThrowsTheFirstInOrder() {
    List<Promise<String>> promises = three();
    Task<Void> task =
        scheduler.spawn(() -> {
          var thrown = assertThrows(IOException.class, () -> Promise.awaitAll(promises));
          log(thrown.getMessage());
        });
    settle();
    promises.get(2).fail(new IOException("r"));
    promises.get(1).fail(new IOException("q"));
    settle();
    assertFalse(task.isDone());
    promises.get(0).fulfill("p");
    scheduler.start();
    assertEquals(List.of("q@0"), log);
  }

  @Test
  void awaitAny_firstToBeFulfilled_orFirstInOrder() {
    List<Promise<String>> promises = three();
    Task<Promise<String>> task = scheduler.spawn(() -> Promise.awaitAny(promises));
    settle();
    promises.get(2).fail(new IOException("r"));
    scheduler.start();
    assertSame(promises.get(2), task.join());
    assertEquals(0, promise.waiterCount());
    promises.get(1).fulfill("q");
    run(() -> assertSame(promises.get(1), Promise.awaitAny(promises)));
  }

  @Test
  void awaitAny_none_saysSo() {
    assertEquals(
        "awaitAny of no promise would wait for ever: give at least one",
        assertThrows(IllegalArgumentException.class, () -> Promise.awaitAny(List.of()))
            .getMessage());
  }

  @Test
  void awaitAny_endedByScheduleTask_saysSo() {
    Task<?> task =
        scheduler.spawn(
            () -> assertThrows(IllegalStateException.class, () -> Promise.awaitAny(three())));
    settle();
    scheduler.scheduleTask(task);
    scheduler.start();
    task.join();
  }

  @Test
  void pickReadyAndOnlyPending_lookWithoutWaiting() {
    List<Promise<String>> promises = three();
    assertTrue(Promise.pickReady(promises).isEmpty());
    assertEquals(promises, Promise.onlyPending(promises));
    promises.get(1).close();
    assertSame(promises.get(1), Promise.pickReady(promises).orElseThrow());
    assertEquals(List.of(promises.get(0), promises.get(2)), Promise.onlyPending(promises));
  }

  // Other threads.

  @Test
  void fulfill_onAnotherThread_claimersAreWoken() {
    claimer("a");
    var outside = scheduler.keepAlive();
    Thread thread = Thread.ofPlatform().unstarted(() -> assertTrue(promise.fulfill("x")));
    run(() -> {
      thread.start();
      assertEquals("x", promise.claim());
    });
    outside.close();
    assertEquals(List.of("a x@0"), log);
  }

  @Test
  void fulfill_manyThreadsAtOnce_justOneWins() throws Exception {
    int threads = 8;
    for (int round = 0; round < 50; round++) {
      var contended = new Promise<Integer>(scheduler, "contended");
      CompletableFuture<Integer> stage = contended.toCompletableFuture();
      var won = new AtomicInteger();
      var winner = new AtomicInteger(-1);
      var start = new CyclicBarrier(threads);
      var done = new CountDownLatch(threads);
      for (int i = 0; i < threads; i++) {
        int id = i;
        Thread.ofPlatform()
            .start(() -> {
              try {
                start.await();
                if (contended.fulfill(id)) {
                  won.incrementAndGet();
                  winner.set(id);
                }
              } catch (Exception e) {
                throw new IllegalStateException(e);
              } finally {
                done.countDown();
              }
            });
      }
      done.await();
      settle();
      assertEquals(1, won.get());
      assertEquals(winner.get(), stage.join());
      run(() -> assertEquals(winner.get(), contended.claim()));
    }
  }

  /// The scheduler takes no new work, but the fulfilment ends a wait of one of its tasks.
  @Test
  void fulfill_onAnotherThreadWhileTheSchedulerStops_claimersAreWoken() {
    claimer("a");
    settle();
    var _ = scheduler.shutdown(Duration.ofHours(1), Duration.ofHours(1));
    CompletableFuture.runAsync(() -> assertTrue(promise.fulfill("x"))).join();
    scheduler.start();
    assertEquals(List.of("a x@0"), log);
  }

  @Test
  void fulfill_schedulerClosed_isFulfilledAllTheSame() throws InterruptedException {
    scheduler.close();
    closedByTheTest = true;
    Thread thread = Thread.ofPlatform().unstarted(() -> assertTrue(promise.fulfill("x")));
    thread.start();
    thread.join();
    assertEquals("x", promise.toCompletableFuture().join());
  }

  @Test
  void claim_onAnotherThread_saysSo() throws InterruptedException {
    Thread thread =
        Thread.ofPlatform()
            .unstarted(() -> {
              assertThrows(WrongThreadException.class, promise::claim);
              assertThrows(WrongThreadException.class, promise::settled);
              assertThrows(WrongThreadException.class, promise::waiterCount);
              log("all");
            });
    thread.start();
    thread.join();
    assertEquals(List.of("all@0"), log);
  }

  @Test
  void claim_noTaskCanFulfil_isADeadlockThatNamesIt() {
    Task<Void> task = claimer("w");
    var thrown = assertThrows(DeadlockException.class, () -> scheduler.start());
    assertTrue(thrown.getMessage().contains("'w' WAITING for promise 'p'"), thrown::getMessage);
    task.cancel("test");
    scheduler.start();
  }

  // As a stage.

  @Test
  void stage_beforeAndAfterFulfilment_actionsRun() {
    CompletionStage<Integer> length = promise.thenApply(String::length);
    promise.thenAccept(value -> log("early " + value));
    assertTrue(promise.fulfill("four"));
    promise.thenAccept(value -> log("late " + value));
    assertEquals(List.of("early four@0", "late four@0"), log);
    assertEquals(4, length.toCompletableFuture().join());
    assertEquals("four", promise.toCompletableFuture().join());
  }

  @Test
  void stage_failure_isPassedOnAsItIs() {
    var failure = new IOException("on purpose");
    CompletionStage<String> handled = promise.exceptionally(thrown -> "was " + (thrown == failure));
    promise.fail(failure);
    assertEquals("was true", handled.toCompletableFuture().join());
    assertSame(
        failure,
        assertThrows(CompletionException.class, promise.toCompletableFuture()::join).getCause());
  }

  @Test
  void stage_completedOrCancelledByTheReceiver_changesNothing() {
    CompletableFuture<String> copy = promise.toCompletableFuture();
    assertTrue(copy.complete("forged"));
    assertTrue(promise.toCompletableFuture().cancel(true));
    assertFalse(promise.isDone());
    assertTrue(promise.fulfill("x"));
    assertEquals("x", promise.toCompletableFuture().join());
  }

  @Test
  void stage_actionThrows_fulfilmentIsUnharmed() {
    claimer("w");
    settle();
    promise.thenAccept(value -> {
      throw new IllegalStateException("on purpose");
    });
    assertTrue(promise.fulfill("x"));
    scheduler.start();
    assertEquals(List.of("w x@0"), log);
  }

  @Test
  void stage_actionFulfilsAnotherAndClaimsNothing_orderHolds() {
    var second = new Promise<String>(scheduler, "second");
    promise.thenAccept(value -> second.fulfill(value + "!"));
    scheduler.spawn(() -> log(second.claim()));
    claimer("w");
    settle();
    promise.fulfill("x");
    scheduler.start();
    assertEquals(List.of("w x@0", "x!@0"), log);
  }

  /// On BOUND the call suspends only the task that makes it.
  @Test
  void stage_joinedByATask_isRefusedWhereItWouldBlockTheLoop() {
    CompletableFuture<String> future = promise.toCompletableFuture();
    var longer = promise.thenApply(text -> text + "y").toCompletableFuture();
    scheduler.spawn(
        "main",
        () -> {
          var fulfilling = scheduler.spawn(() -> promise.fulfill("x"));
          if (backend.mountsOnLoopThread() && !backend.sharesThread()) {
            assertEquals("x", future.join());
          } else {
            String told = assertThrows(IllegalStateException.class, future::join).getMessage();
            assertTrue(told.contains("promise 'p' by task 'main'"), told);
            assertTrue(told.contains("claim the promise"), told);
            assertThrows(IllegalStateException.class, longer::get);
            fulfilling.join();
          }
          assertEquals("x", future.join());
          assertEquals("xy", longer.get());
        });
    scheduler.start();
  }

  @Test
  void stage_everyMethod_behavesAsTheJdks() {
    var other = CompletableFuture.completedFuture("y");
    promise.fulfill("x");
    Runnable nothing = () -> {};
    List<CompletionStage<?>> stages =
        List.of(
            promise.thenApply(v -> v),
            promise.thenApplyAsync(v -> v),
            promise.thenApplyAsync(v -> v, Runnable::run),
            promise.thenCombine(other, (v, w) -> v),
            promise.thenCombineAsync(other, (v, w) -> v),
            promise.thenCombineAsync(other, (v, w) -> v, Runnable::run),
            promise.thenCompose(CompletableFuture::completedFuture),
            promise.thenComposeAsync(CompletableFuture::completedFuture),
            promise.thenComposeAsync(CompletableFuture::completedFuture, Runnable::run),
            promise.handle((v, e) -> v),
            promise.handleAsync((v, e) -> v),
            promise.handleAsync((v, e) -> v, Runnable::run),
            promise.whenComplete((v, e) -> {}),
            promise.whenCompleteAsync((v, e) -> {}),
            promise.whenCompleteAsync((v, e) -> {}, Runnable::run),
            promise.exceptionally(e -> "z"),
            promise.applyToEither(new CompletableFuture<>(), v -> v),
            promise.applyToEitherAsync(new CompletableFuture<>(), v -> v),
            promise.applyToEitherAsync(new CompletableFuture<>(), v -> v, Runnable::run));
    stages.forEach(stage -> assertEquals("x", stage.toCompletableFuture().join()));
    List<CompletionStage<Void>> runs =
        List.of(
            promise.thenAccept(v -> {}),
            promise.thenAcceptAsync(v -> {}),
            promise.thenAcceptAsync(v -> {}, Runnable::run),
            promise.thenRun(nothing),
            promise.thenRunAsync(nothing),
            promise.thenRunAsync(nothing, Runnable::run),
            promise.thenAcceptBoth(other, (v, w) -> {}),
            promise.thenAcceptBothAsync(other, (v, w) -> {}),
            promise.thenAcceptBothAsync(other, (v, w) -> {}, Runnable::run),
            promise.runAfterBoth(other, nothing),
            promise.runAfterBothAsync(other, nothing),
            promise.runAfterBothAsync(other, nothing, Runnable::run),
            promise.acceptEither(new CompletableFuture<>(), v -> {}),
            promise.acceptEitherAsync(new CompletableFuture<>(), v -> {}),
            promise.acceptEitherAsync(new CompletableFuture<>(), v -> {}, Runnable::run),
            promise.runAfterEither(new CompletableFuture<>(), nothing),
            promise.runAfterEitherAsync(new CompletableFuture<>(), nothing),
            promise.runAfterEitherAsync(new CompletableFuture<>(), nothing, Runnable::run));
    runs.forEach(stage -> assertNull(stage.toCompletableFuture().join()));
  }
}
