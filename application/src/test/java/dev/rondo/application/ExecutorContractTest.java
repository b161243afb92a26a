package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import dev.rondo.time.VirtualClock;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// The contract of every executor service, after `AbstractExecutorServiceTest`,
/// `ThreadPoolExecutorTest` and `FutureTaskTest` of the JSR 166 expert group.
final class ExecutorContractTest extends ExecutorRig {

  private static final Callable<String> BAD =
      () -> {
        throw new IOException("bad");
      };

  /// A job that runs until it is cancelled or released.
  private static final class Held {

    final CountDownLatch begun = new CountDownLatch(1);

    Future<?> in(ExecutorService service) throws InterruptedException {
      Future<?> future =
          service.submit(() -> {
            begun.countDown();
            Rondo.waitForSignal("let go");
          });
      begun.await();
      return future;
    }
  }

  private static void letGo(ExecutorService service) {
    service.execute(() -> Rondo.signalAll("let go"));
  }

  private static void shieldedSleep() {
    try {
      Application.current()
          .scheduler()
          .shielded(() -> {
            Rondo.sleep(Duration.ofMillis(5));
            return null;
          });
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  // Submitting.

  @Test
  void submit_anyForm_runsOnceAndHasItsResult() {
    outside(service -> {
      assertNull(service.submit(() -> log("a")).get());
      assertEquals("given", service.submit(() -> log("b"), "given").get());
      assertEquals("c", service.submit(sleeping("c", 1)).get(1, TimeUnit.MINUTES));
      assertNull(service.submit(() -> log("d"), null).get());
    });
    assertEquals(List.of("a@0", "b@0", "c@1", "d@1"), log);
  }

  @Test
  void submit_null_isRefusedAtOnce() {
    outside(service -> {
      assertThrows(NullPointerException.class, () -> service.execute(null));
      assertThrows(NullPointerException.class, () -> service.submit((Runnable) null));
      assertThrows(NullPointerException.class, () -> service.submit((Callable<?>) null));
      assertThrows(NullPointerException.class, () -> service.submit(null, "given"));
    });
  }

  @Test
  void execute_many_beginInTheOrderTheyCame() {
    outside(service -> {
      for (String each : List.of("a", "b", "c")) {
        service.execute(() -> log(each));
      }
      service.submit(() -> log("d")).get();
    });
    assertEquals(List.of("a@0", "b@0", "c@0", "d@0"), log);
  }

  @Test
  void execute_aFutureTaskOfSomebodyElse_runsIt() {
    outside(service -> {
      var foreign = new FutureTask<>(() -> "foreign");
      service.execute(foreign);
      assertEquals("foreign", foreign.get());
    });
  }

  @Test
  void execute_fromInside_isTakenToo() {
    outside(service -> {
      Future<Future<String>> inner = service.submit(() -> service.submit(sleeping("inner", 1)));
      assertEquals("inner", inner.get().get());
    });
  }

  // Futures.

  @Test
  void future_whatItSaysInEachState() {
    outside(service -> {
      var held = new Held();
      Future<?> future = held.in(service);
      assertFalse(future.isDone());
      assertFalse(future.isCancelled());
      assertEquals(Future.State.RUNNING, future.state());
      assertThrows(IllegalStateException.class, future::resultNow);
      letGo(service);
      assertNull(future.get());
      assertTrue(future.isDone());
      assertFalse(future.cancel(true));
      assertEquals(Future.State.SUCCESS, future.state());

      Future<String> failed = service.submit(BAD);
      assertThrows(ExecutionException.class, failed::get);
      assertEquals("bad", failed.exceptionNow().getMessage());
      assertFalse(failed.cancel(false));
    });
  }

  @Test
  void get_waitingThreadIsInterrupted_throwsAndTheJobGoesOn() {
    outside(service -> {
      var held = new Held();
      Future<?> future = held.in(service);
      Thread.currentThread().interrupt();
      assertThrows(InterruptedException.class, future::get);
      Thread.currentThread().interrupt();
      assertThrows(InterruptedException.class, () -> future.get(1, TimeUnit.DAYS));
      letGo(service);
      assertNull(future.get());
    });
  }

  @Test
  void cancel_beforeItBegins_neverRuns() {
    outside(service -> {
      service
          .submit(() -> { // in one turn, so that no job begins
            Future<?> future = service.submit(() -> log("never"));
            assertTrue(future.cancel(false));
            assertFalse(future.cancel(true));
            assertTrue(future.isCancelled());
            assertTrue(future.isDone());
            assertThrows(CancellationException.class, future::get);
          })
          .get();
    });
    assertEquals(List.of(), log);
  }

  @Test
  void cancel_withoutInterrupting_letsItRunToItsEnd() {
    outside(service -> {
      var begun = new CountDownLatch(1);
      var ended = new CountDownLatch(1);
      Future<?> future =
          service.submit(() -> {
            begun.countDown();
            Rondo.waitForSignal("let go");
            ended.countDown();
          });
      begun.await();
      assertTrue(future.cancel(false));
      assertThrows(CancellationException.class, future::get);
      letGo(service);
      assertTrue(ended.await(1, TimeUnit.MINUTES));
    });
  }

  @Test
  void cancel_ofARunningOne_keepsTheServiceUntilItsTaskHasEnded() {
    outside(service -> {
      var begun = new CountDownLatch(1);
      Future<?> future =
          service.submit(() -> {
            try {
              begun.countDown();
              Rondo.waitForSignal("never");
            } finally {
              log("cleaned up");
            }
          });
      begun.await();
      service.shutdown();
      assertTrue(future.cancel(true));
      assertTrue(service.awaitTermination(1, TimeUnit.MINUTES));
      assertEquals(List.of("cleaned up@0"), log);
    });
  }

  @Test
  void addListener_beforeAndAfterTheEnd_runsOnce() {
    outside(service -> {
      ListenableFuture<String> future = service.submit(sleeping("job", 1));
      var told = new CountDownLatch(2);
      future.addListener(told::countDown, MoreExecutors.directExecutor());
      future.get();
      future.addListener(told::countDown, service);
      assertTrue(told.await(1, TimeUnit.MINUTES));
    });
  }

  // Several at once.

  @Test
  void invokeAny_badArguments_areRefused() {
    outside(service -> {
      assertThrows(NullPointerException.class, () -> service.invokeAny(null));
      assertThrows(IllegalArgumentException.class, () -> service.invokeAny(List.of()));
      assertThrows(NullPointerException.class, () -> service.invokeAny(Arrays.asList(BAD, null)));
      assertThrows(
          NullPointerException.class, () -> service.invokeAny(List.of(sleeping("x", 1)), 1, null));
      assertThrows(NullPointerException.class, () -> service.invokeAny(null, 1, TimeUnit.SECONDS));
      assertThrows(
          IllegalArgumentException.class, () -> service.invokeAny(List.of(), 1, TimeUnit.SECONDS));
    });
  }

  @Test
  void invokeAny_oneSucceeds_isTheAnswerAndTheOthersAreCancelled() {
    clock.autojump(VirtualClock.Autojump.UNLESS_OTHERS_WORK); // distant deadlines are not reached
    outside(service -> {
      var begun = new CountDownLatch(1);
      Callable<String> endless =
          () -> {
            try {
              begun.countDown();
              Rondo.waitForSignal("never");
              return "never";
            } finally {
              log("cancelled");
            }
          };
      Callable<String> quick =
          () -> {
            Rondo.waitFor(() -> begun.getCount() == 0);
            return "quick";
          };
      assertEquals("quick", service.invokeAny(List.of(endless, quick)));
      service.shutdown();
      assertTrue(service.awaitTermination(1, TimeUnit.MINUTES));
    });
    assertEquals(List.of("cancelled@0"), log);
  }

  @Test
  void invokeAny_allFail_throwsAFailure() {
    outside(service -> {
      var thrown =
          assertThrows(ExecutionException.class, () -> service.invokeAny(List.of(BAD, BAD)));
      assertEquals("bad", thrown.getCause().getMessage());
      assertThrows(
          ExecutionException.class, () -> service.invokeAny(List.of(BAD), 1, TimeUnit.MINUTES));
    });
  }

  @Test
  void invokeAny_timeIsUp_throwsAndCancels() {
    clock.autojump(VirtualClock.Autojump.UNLESS_OTHERS_WORK); // distant deadlines are not reached
    outside(service -> {
      Callable<String> endless =
          () -> {
            Rondo.waitForSignal("never");
            return "never";
          };
      assertThrows(
          TimeoutException.class,
          () -> service.invokeAny(List.of(endless), 1, TimeUnit.MILLISECONDS));
      service.shutdown();
      assertTrue(service.awaitTermination(1, TimeUnit.MINUTES));
    });
  }

  @Test
  void invokeAll_badArguments_areRefusedAndNothingIsLeftRunning() {
    outside(service -> {
      assertThrows(NullPointerException.class, () -> service.invokeAll(null));
      assertThrows(
          NullPointerException.class,
          () -> service.invokeAll(Arrays.asList(sleeping("x", 1), null)));
      assertThrows(NullPointerException.class, () -> service.invokeAll(List.of(BAD), 1, null));
      assertEquals(List.of(), service.invokeAll(List.of()));
      assertEquals(List.of(), service.invokeAll(List.of(), 1, TimeUnit.SECONDS));
    });
  }

  @Test
  void invokeAll_someFail_answersAllInOrderWhenAllAreDone() {
    outside(service -> {
      List<Future<String>> all =
          service.invokeAll(List.of(sleeping("a", 2), BAD, sleeping("b", 1)));
      assertTrue(all.stream().allMatch(Future::isDone));
      assertEquals("a", all.get(0).get());
      assertThrows(ExecutionException.class, all.get(1)::get);
      assertEquals("b", all.get(2).get());
    });
  }

  @Test
  void invokeAll_timeIsUp_cancelsWhatIsNotDone() {
    clock.autojump(VirtualClock.Autojump.UNLESS_OTHERS_WORK); // distant deadlines are not reached
    outside(service -> {
      Callable<String> endless =
          () -> {
            Rondo.waitForSignal("never");
            return "never";
          };
      List<Future<String>> all =
          service.invokeAll(List.of(() -> "done", endless), 200, TimeUnit.MILLISECONDS);
      assertEquals("done", all.get(0).get());
      assertTrue(all.get(1).isCancelled());
    });
  }

  // The end.

  @Test
  void shutdown_whileOneRuns_isTerminatedWhenThatHasEnded() {
    outside(service -> {
      var held = new Held();
      Future<?> future = held.in(service);
      assertFalse(service.isShutdown());
      service.shutdown();
      assertTrue(service.isShutdown());
      assertFalse(service.isTerminated());
      assertFalse(service.awaitTermination(0, TimeUnit.MILLISECONDS));
      assertFalse(service.awaitTermination(-1, TimeUnit.MILLISECONDS));
      // After the shutdown no job could release the blocked one.
      assertThrows(RejectedExecutionException.class, () -> letGo(service));
      assertTrue(future.cancel(true));
      assertTrue(service.awaitTermination(1, TimeUnit.MINUTES));
      assertTrue(service.isTerminated());
    });
  }

  @Test
  void shutdown_thenAnyWork_isRejectedByName() {
    outside(service -> {
      service.shutdown();
      Runnable named =
          new Runnable() {
            @Override
            public void run() {}

            @Override
            public String toString() {
              return "the job";
            }
          };
      var thrown = assertThrows(RejectedExecutionException.class, () -> service.execute(named));
      assertTrue(thrown.getMessage().contains("the job"), thrown::getMessage);
      assertThrows(RejectedExecutionException.class, () -> service.submit(named));
      assertThrows(RejectedExecutionException.class, () -> service.invokeAll(List.of(BAD)));
      assertThrows(RejectedExecutionException.class, () -> service.invokeAny(List.of(BAD)));
    });
  }

  @Test
  void shutdownNow_answersWhatWasGivenAndNeverRunsIt() {
    outside(service -> {
      service
          .submit(() -> { // in one turn, so that no job begins
            Runnable plain = () -> log("never");
            service.execute(plain);
            Future<?> future = service.submit(() -> log("never"));
            List<Runnable> left = service.shutdownNow();
            assertEquals(List.of(plain, future), left);
            assertSame(plain, left.getFirst());
            assertFalse(future.isDone());
            assertEquals(List.of(), service.shutdownNow());
            left.forEach(Runnable::run);
          })
          .get();
      assertTrue(service.awaitTermination(1, TimeUnit.MINUTES));
    });
    assertEquals(List.of("never@0", "never@0"), log);
  }

  @Test
  void shutdownNow_whoIgnoresIt_isWaitedFor() {
    outside(service -> {
      var begun = new CountDownLatch(1);
      service.execute(() -> {
        begun.countDown();
        try {
          Rondo.waitForSignal("never");
        } finally {
          shieldedSleep();
          log("went");
        }
      });
      begun.await();
      assertEquals(List.of(), service.shutdownNow());
      assertTrue(service.awaitTermination(1, TimeUnit.MINUTES));
      assertEquals(List.of("went@5"), log);
    });
  }

  @Test
  void awaitTermination_interrupted_throws() {
    outside(service -> {
      Thread.currentThread().interrupt();
      assertThrows(InterruptedException.class, () -> service.awaitTermination(1, TimeUnit.DAYS));
    });
  }

  @Test
  void awaitTermination_badUnit_isRefused() {
    outside(service ->
        assertThrows(NullPointerException.class, () -> service.awaitTermination(1, null)));
  }

  @Test
  void close_waitsForAllThatWasGiven() {
    outside(service -> {
      Future<String> future = service.submit(sleeping("job", 3));
      service.close();
      assertTrue(service.isTerminated());
      assertTrue(future.isDone());
      service.close();
    });
  }

  @Test
  void close_interrupted_shutsDownNowAndKeepsTheInterrupt() {
    outside(service -> {
      var held = new Held();
      Future<?> future = held.in(service);
      Thread.currentThread().interrupt();
      service.close();
      assertTrue(Thread.interrupted());
      assertTrue(service.isTerminated());
      assertTrue(future.isCancelled());
    });
  }

  @Test
  void whatTheJobDid_isVisibleToTheThreadThatGetsItsResult() {
    outside(service -> {
      var plain = new int[1];
      service.submit(() -> plain[0] = 1).get();
      assertEquals(1, plain[0]);
      assertNotNull(service.toString());
    });
  }
}
