package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.testing.BackendsDiffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// [Coalescer].
@BackendsDiffer
final class CoalescerTest extends OnEveryBackend {

  // Debouncer.

  @Test
  void debouncer_seriesOfCalls_onceAfterTheLast() {
    var debouncer = Coalescer.debounce(scheduler(), ms(10), () -> log("saved"));
    assertFalse(debouncer.isPending());
    run(() -> {
      for (int i = 0; i < 5; i++) {
        debouncer.call();
        sleep(4);
      }
      assertTrue(debouncer.isPending());
      sleep(20);
      debouncer.call();
    });
    assertEquals(List.of("saved@26", "saved@50"), log);
  }

  @Test
  void debouncer_calledWhileItRuns_runsOnceMore() {
    var debouncer =
        Coalescer.debounce(
            scheduler(),
            ms(10),
            () -> {
              log("begin");
              sleep(5);
            });
    run(() -> {
      debouncer.call();
      sleep(12);
      debouncer.call();
    });
    assertEquals(List.of("begin@10", "begin@22"), log);
  }

  @Test
  void debouncer_actionIsCancelledInABlockingCall_isNoFailure() {
    assumeTrue(
        backend.mountsOnLoopThread() && !backend.sharesThread(), "only BOUND blocks a task alone");
    var action = new AtomicReference<Task<?>>();
    var debouncer =
        Coalescer.debounce(
            scheduler(),
            ms(1),
            () -> {
              action.set(scheduler().currentTask());
              new CountDownLatch(1).await();
            });
    run(() -> {
      debouncer.call();
      sleep(1);
      while (action.get() == null || action.get().taskState() != TaskState.BLOCKED) {
        scheduler().yield();
      }
      action.get().cancel("test");
    });
    assertTrue(action.get().isCancelled());
  }

  @Test
  void debouncer_cancelled_neverRuns() {
    var debouncer = Coalescer.debounce(scheduler(), ms(10), () -> log("never"));
    debouncer.call();
    assertTrue(debouncer.cancel());
    assertFalse(debouncer.cancel());
    scheduler().start();
    assertEquals(List.of(), log);
  }

  @Test
  void debouncer_actionFails_laterCallsCount() {
    var failure = new IllegalStateException("on purpose");
    var debouncer =
        Coalescer.debounce(
            scheduler(),
            ms(10),
            () -> {
              log("run");
              throw failure;
            });
    run(() -> {
      debouncer.call();
      sleep(20);
      debouncer.call();
    });
    assertEquals(List.of(failure, failure), takeFailures());
    assertEquals(List.of("run@10", "run@30"), log);
  }

  // Throttle.

  @Test
  void throttle_manyCalls_firstAtOnceRestOncePerInterval() {
    var throttle = Coalescer.throttle(scheduler(), ms(10), () -> log("drawn"));
    run(() -> {
      for (int i = 0; i < 25; i++) {
        throttle.call();
        sleep(1);
      }
      sleep(30);
      throttle.call();
    });
    assertEquals(List.of("drawn@0", "drawn@10", "drawn@20", "drawn@30", "drawn@55"), log);
  }

  @Test
  void throttle_actionLongerThanTheInterval_nextAfterItsEnd() {
    var throttle =
        Coalescer.throttle(
            scheduler(),
            ms(10),
            () -> {
              log("begin");
              sleep(25);
            });
    run(() -> {
      throttle.call();
      sleep(5);
      throttle.call();
      throttle.call();
      assertTrue(throttle.isPending());
    });
    assertEquals(List.of("begin@0", "begin@25"), log);
  }

  @Test
  void throttle_cancelled_callIsForgotten() {
    var throttle = Coalescer.throttle(scheduler(), ms(10), () -> log("drawn"));
    run(() -> {
      throttle.call();
      sleep(1);
      throttle.call();
      assertTrue(throttle.cancel());
      sleep(20);
      throttle.call();
    });
    assertEquals(List.of("drawn@0", "drawn@21"), log);
  }

  @Test
  void calledWhileTheActionRuns_actionFails_runsOnceMore() {
    var failure = new IllegalStateException("on purpose");
    assertRunOnceMoreAfter(
        failure,
        () -> {
          throw failure;
        });
  }

  @Test
  void calledWhileTheActionRuns_actionEndsWithAnError_runsOnceMore() {
    var error = new AssertionError("on purpose");
    assertRunOnceMoreAfter(
        error,
        () -> {
          throw error;
        });
  }

  private void assertRunOnceMoreAfter(Throwable failure, TaskAction<?> fail) {
    TaskAction<?> failing =
        () -> {
          log("run");
          sleep(5);
          fail.run();
        };
    var debouncer = Coalescer.debounce(scheduler(), ms(10), failing);
    var throttle = Coalescer.throttle(scheduler(), ms(10), failing);
    run(() -> {
      debouncer.call();
      sleep(12);
      debouncer.call();
      sleep(100);
      throttle.call();
      sleep(2);
      throttle.call();
    });
    assertEquals(List.of("run@10", "run@22", "run@112", "run@122"), log);
    assertEquals(List.of(failure, failure, failure, failure), takeFailures());
  }

  @Test
  void calledWhileTheActionRuns_schedulerCloses_neverAgainAndNoFailure() {
    var debouncer = Coalescer.debounce(scheduler(), ms(10), () -> sleep(100));
    debouncer.call();
    clock.advanceBy(ms(15));
    debouncer.call();
    scheduler().close();
    closedByTheTest = true;
    assertFalse(debouncer.isPending());
  }

  @Test
  void factories_badArguments_refused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> Coalescer.debounce(scheduler(), ms(-1), () -> log("never")));
    assertThrows(NullPointerException.class, () -> Coalescer.debounce(scheduler(), ms(1), null));
    assertThrows(
        IllegalArgumentException.class,
        () -> Coalescer.throttle(scheduler(), ms(-1), () -> log("never")));
    assertThrows(NullPointerException.class, () -> Coalescer.throttle(scheduler(), ms(1), null));
    for (Executable timeless :
        List.<Executable>of(
            () -> Coalescer.debounce(null, ms(1), () -> log("never")),
            () -> Coalescer.throttle(null, ms(1), () -> log("never")),
            () -> new RateLimiter(null, 1, ms(1)))) {
      assertEquals(
          "scheduler is null", assertThrows(NullPointerException.class, timeless).getMessage());
    }
  }
}
