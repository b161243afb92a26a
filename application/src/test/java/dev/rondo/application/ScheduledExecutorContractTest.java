package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.time.VirtualClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// The contract of every scheduled executor service, after `ScheduledExecutorTest` of the JSR 166
/// expert group, in virtual time.
@BackendsDiffer
final class ScheduledExecutorContractTest extends ExecutorRig {

  @Test
  void nullsAndBadPeriods_areRefusedAtOnce() {
    outside(service -> {
      Runnable job = () -> {};
      TimeUnit ms = TimeUnit.MILLISECONDS;
      assertThrows(NullPointerException.class, () -> service.schedule((Runnable) null, 1, ms));
      assertThrows(NullPointerException.class, () -> service.schedule((Callable<?>) null, 1, ms));
      assertThrows(NullPointerException.class, () -> service.schedule(job, 1, null));
      assertThrows(NullPointerException.class, () -> service.scheduleAtFixedRate(null, 1, 1, ms));
      assertThrows(NullPointerException.class, () -> service.scheduleAtFixedRate(job, 1, 1, null));
      assertThrows(
          NullPointerException.class, () -> service.scheduleWithFixedDelay(null, 1, 1, ms));
      assertThrows(
          NullPointerException.class, () -> service.scheduleWithFixedDelay(job, 1, 1, null));
      assertThrows(
          IllegalArgumentException.class, () -> service.scheduleAtFixedRate(job, 1, 0, ms));
      var thrown =
          assertThrows(
              IllegalArgumentException.class, () -> service.scheduleWithFixedDelay(job, 1, -5, ms));
      assertTrue(thrown.getMessage().contains("-5"), thrown::getMessage);
    });
  }

  @Test
  void schedule_anyForm_runsOnceAfterItsDelay() {
    outside(service -> {
      assertEquals("a", service.schedule(sleeping("a", 1), 10, TimeUnit.MILLISECONDS).get());
      assertEquals(null, service.schedule(() -> log("b"), 10, TimeUnit.MILLISECONDS).get());
    });
    assertEquals(List.of("a@11", "b@21"), log);
  }

  /// Tasks of the scheduler run the job, so its time passes meanwhile.
  @Test
  void schedule_awaitedByATaskOfTheApplication_virtualTimePasses() {
    clock.autojump(VirtualClock.Autojump.UNLESS_OTHERS_WORK);
    Application.builder()
        .backend(backend)
        .clock(clock)
        .run(app -> {
          var service = app.newExecutorService();
          var job = service.schedule(sleeping("a", 1), 10, TimeUnit.MILLISECONDS);
          assertEquals("a", app.await(app.scheduler().completion(job)));
          assertEquals("a job of an executor service", job.toString());
          service.shutdown();
        });
    assertEquals(List.of("a@11"), log);
  }

  @Test
  void schedule_noDelayOrLess_runsAtOnce() {
    outside(service -> {
      service.schedule(() -> log("zero"), 0, TimeUnit.SECONDS).get();
      service.schedule(() -> log("negative"), -7, TimeUnit.DAYS).get();
      service.schedule(() -> log("most"), Long.MIN_VALUE, TimeUnit.NANOSECONDS).get();
    });
    assertEquals(List.of("zero@0", "negative@0", "most@0"), log);
  }

  @Test
  void schedule_forEver_isNeverDueAndComparesAsTheLatest() {
    clock.autojump(VirtualClock.Autojump.UNLESS_OTHERS_WORK); // distant deadlines are not reached
    outside(service -> {
      ScheduledFuture<?> last = service.schedule(() -> log("!"), Long.MAX_VALUE, TimeUnit.DAYS);
      ScheduledFuture<?> first = service.schedule(() -> log("!"), 1, TimeUnit.DAYS);
      assertTrue(last.getDelay(TimeUnit.DAYS) > 10_000);
      assertTrue(first.compareTo(last) < 0);
      assertTrue(last.compareTo(first) > 0);
      assertEquals(1, first.getDelay(TimeUnit.DAYS));
      assertThrows(TimeoutException.class, () -> first.get(1, TimeUnit.MILLISECONDS));
      assertTrue(last.cancel(false));
      assertTrue(first.cancel(true));
    });
    assertEquals(List.of(), log);
  }

  @Test
  void cancel_beforeItIsDue_neverRunsAndLeavesNothing() {
    clock.autojump(VirtualClock.Autojump.UNLESS_OTHERS_WORK); // distant deadlines are not reached
    outside(service -> {
      ScheduledFuture<?> future = service.schedule(() -> log("!"), 1, TimeUnit.DAYS);
      assertTrue(future.cancel(false));
      assertFalse(future.cancel(false));
      assertTrue(future.isCancelled());
      assertThrows(CancellationException.class, future::get);
      service.shutdown();
      assertTrue(service.awaitTermination(1, TimeUnit.MINUTES));
      assertEquals(List.of(), service.shutdownNow());
    });
  }

  @Test
  void fixedRate_oneRunIsLong_makesUpForItAndNeverOverlaps() {
    outside(service -> {
      var fourth = new CountDownLatch(4);
      ScheduledFuture<?> rate =
          service.scheduleAtFixedRate(
              () -> {
                log("tick");
                if (fourth.getCount() == 4) {
                  Rondo.sleep(Duration.ofMillis(25));
                }
                fourth.countDown();
                if (fourth.getCount() == 0) {
                  Rondo.waitForSignal("cancelled");
                }
              },
              0,
              10,
              TimeUnit.MILLISECONDS);
      fourth.await();
      assertTrue(rate.cancel(true));
    });
    assertEquals(List.of("tick@0", "tick@25", "tick@25", "tick@30"), log);
  }

  @Test
  void fixedRate_loopIsKeptBeforeTheFirstRun_makesUpForRunsAndKeepsThePhase() {
    outside(service -> {
      var rate = new CompletableFuture<ScheduledFuture<?>>();
      service
          .submit(() -> { // in one turn
            rate.complete(
                service.scheduleAtFixedRate(
                    () -> {
                      log("tick");
                      if (log.size() == 5) {
                        rate.join().cancel(false);
                      }
                    },
                    10,
                    10,
                    TimeUnit.MILLISECONDS));
            clock.skip(Duration.ofMillis(35));
          })
          .get();
      assertThrows(CancellationException.class, rate.join()::get);
    });
    assertEquals(List.of("tick@35", "tick@35", "tick@35", "tick@40", "tick@50"), log);
  }

  @Test
  void getDelay_periodic_isTheTimeUntilTheNextRun() {
    outside(service ->
        service
            .submit(() -> { // in one turn, so that no time passes
              var rate = service.scheduleAtFixedRate(() -> {}, 1, 10, TimeUnit.SECONDS);
              var delay =
                  service.scheduleWithFixedDelay(
                      () -> Rondo.sleep(Duration.ofSeconds(1)), 1, 10, TimeUnit.SECONDS);
              return service.schedule(
                  () -> {
                    assertEquals(8, rate.getDelay(TimeUnit.SECONDS));
                    assertEquals(9, delay.getDelay(TimeUnit.SECONDS));
                    assertTrue(rate.compareTo(delay) < 0);
                    assertTrue(rate.cancel(false));
                    assertTrue(delay.cancel(false));
                  },
                  3,
                  TimeUnit.SECONDS);
            })
            .get()
            .get());
  }

  @Test
  void periodic_fails_endsWithItsFailureWhichIsNotReported() {
    outside(service -> {
      ScheduledFuture<?> rate =
          service.scheduleAtFixedRate(
              () -> {
                log("tick");
                throw new IllegalStateException("no");
              },
              1,
              1,
              TimeUnit.MILLISECONDS);
      assertThrows(ExecutionException.class, rate::get);
      assertTrue(rate.isDone());
      assertFalse(rate.isCancelled());
      service.schedule(() -> log("later"), 5, TimeUnit.MILLISECONDS).get();
    });
    assertEquals(List.of("tick@1", "later@6"), log);
  }

  @Test
  void periodic_cancelledByItself_doesNotRunAgain() {
    outside(service -> {
      var self = new CompletableFuture<ScheduledFuture<?>>();
      ScheduledFuture<?> rate =
          service.scheduleWithFixedDelay(
              () -> {
                log("tick");
                self.join().cancel(false);
              },
              1,
              1,
              TimeUnit.MILLISECONDS);
      self.complete(rate);
      assertThrows(CancellationException.class, rate::get);
      service.schedule(() -> log("later"), 5, TimeUnit.MILLISECONDS).get();
    });
    assertEquals(List.of("tick@1", "later@6"), log);
  }

  @Test
  void shutdown_keepsWhatIsToRunOnceAndDropsWhatIsToRunAgain() {
    outside(service -> {
      service
          .submit(() -> { // in one turn, so that no time passes
            ScheduledFuture<?> again =
                service.scheduleAtFixedRate(() -> log("again"), 1, 1, TimeUnit.MILLISECONDS);
            var _ = service.schedule(() -> log("once"), 3, TimeUnit.MILLISECONDS);
            service.shutdown();
            assertTrue(again.isCancelled());
            assertThrows(
                RejectedExecutionException.class,
                () -> service.schedule(() -> {}, 1, TimeUnit.SECONDS));
            assertThrows(
                RejectedExecutionException.class,
                () -> service.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.SECONDS));
          })
          .get();
      assertTrue(service.awaitTermination(1, TimeUnit.MINUTES));
    });
    assertEquals(List.of("once@3"), log);
  }

  @Test
  void shutdownNow_answersWhatIsNotDueYet() {
    clock.autojump(VirtualClock.Autojump.UNLESS_OTHERS_WORK); // distant deadlines are not reached
    outside(service -> {
      ScheduledFuture<?> once = service.schedule(() -> log("!"), 1, TimeUnit.DAYS);
      ScheduledFuture<?> again = service.scheduleAtFixedRate(() -> log("!"), 1, 1, TimeUnit.DAYS);
      assertEquals(List.of(once, again), service.shutdownNow());
      assertTrue(service.awaitTermination(1, TimeUnit.MINUTES));
      assertTrue(service.isTerminated());
    });
  }
}
