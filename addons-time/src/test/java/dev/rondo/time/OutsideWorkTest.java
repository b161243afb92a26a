package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.testing.BackendsDiffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// Virtual time stands still while work runs outside the loop.
@BackendsDiffer
final class OutsideWorkTest extends OnEveryBackend {

  /// The states of an idle loop: the clock's first wait has a limit, after which it logs a warning.
  private static final Set<Thread.State> IDLE =
      EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

  /// Runs an action on another thread once the loop idles.
  private void whenTheLoopIdles(Runnable then) {
    Thread loop = Thread.currentThread();
    Thread.ofPlatform()
        .start(() -> {
          while (!IDLE.contains(loop.getState())) {
            Thread.onSpinWait();
          }
          then.run();
        });
  }

  @Test
  void blocking_besideASleeper_noTimePasses() {
    var release = new CountDownLatch(1);
    scheduler()
        .spawn(() -> {
          sleep(10);
          log("slept");
        });
    scheduler()
        .spawn(() -> {
          scheduler()
              .blocking(() -> {
                release.await();
                return null;
              });
          log("blocked");
        });
    whenTheLoopIdles(release::countDown);
    scheduler().start();
    assertEquals(List.of("blocked@0", "slept@10"), log);
  }

  @Test
  void completion_besideATimeout_noTimePasses() {
    var future = new CompletableFuture<String>();
    scheduler()
        .spawn(() -> {
          log(scheduler().await(scheduler().completion(future), ms(10)));
          sleep(3);
          log("end");
        });
    whenTheLoopIdles(() -> future.complete("value"));
    scheduler().start();
    assertEquals(List.of("value@0", "end@3"), log);
  }

  @Test
  void completion_ofATaskOfTheSameScheduler_timePasses() {
    run(() -> {
      var sleeper = scheduler().spawn(() -> sleep(10));
      scheduler().await(scheduler().completion(sleeper));
      log("ended");
    });
    assertEquals(List.of("ended@10"), log);
  }

  @Test
  void autojumpAlways_completionThatNeverComes_timeout() {
    clock.autojump(VirtualClock.Autojump.ALWAYS);
    run(() ->
        assertThrows(
            TimedOutException.class,
            () -> scheduler().await(scheduler().completion(new CompletableFuture<>()), ms(10))));
    assertEquals(ms(10), clock.elapsed());
  }

  /// A long wait in `close` is logged, which needs a timer.
  @Test
  void autojumpAlways_closeWaitsForAnotherThread_noTimePasses() {
    clock.autojump(VirtualClock.Autojump.ALWAYS);
    var work = new CompletableFuture<Void>();
    scheduler()
        .spawn(() -> {
          try {
            scheduler().suspend();
          } finally {
            scheduler().shielded(() -> scheduler().await(scheduler().completion(work)));
            log("cleaned up");
          }
        });
    assertTrue(scheduler().step());
    whenTheLoopIdles(() -> work.complete(null));
    scheduler().close();
    closedByTheTest = true;
    assertEquals(List.of("cleaned up@0"), log);
  }

  @Test
  void expectOutsideCalls_sleeper_timePasses() {
    var calls = scheduler().keepAlive();
    run(() -> sleep(10));
    calls.close();
    assertEquals(ms(10), clock.elapsed());
  }

  @Test
  void completion_abandonedByItsTask_timePassesAgain() {
    var task =
        scheduler()
            .spawn(() -> scheduler().await(scheduler().completion(new CompletableFuture<>())));
    run(() -> {
      scheduler().yield();
      task.cancel("test");
      sleep(10);
    });
    assertEquals(ms(10), clock.elapsed());
  }

  @Test
  void advanceBy_completionOutstanding_movesAllTheSame() {
    var task =
        scheduler()
            .spawn(() -> scheduler().await(scheduler().completion(new CompletableFuture<>())));
    scheduler()
        .spawn(() -> {
          sleep(10);
          log("slept");
        });
    clock.advanceBy(Duration.ofMillis(10));
    assertEquals(List.of("slept@10"), log);
    task.cancel("test");
    scheduler().start();
  }
}
