package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.internal.rooms.Delay;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// Interrupts of the loop's thread: by the task that runs on it, and from outside. See
/// docs/inside/semantics.md, rule 38.
@BackendsDiffer
class InterruptTest extends SchedulerTest {

  private static final String STOPPED =
      "WARN the loop's thread was interrupted from outside: the run ends, as by stop()";

  private static boolean isInterrupted() {
    return Thread.currentThread().isInterrupted();
  }

  // By a task.

  @Test
  void byATask_isFoundByThatTaskOnly() {
    scheduler.spawn(() -> {
      Thread.currentThread().interrupt();
      scheduler.yield();
      trace("own:" + isInterrupted());
      scheduler.await(Delay.of(Duration.ofSeconds(1)));
      trace("own:" + Thread.interrupted());
      scheduler.yield();
      trace("own:" + isInterrupted());
    });
    scheduler.spawn(() -> {
      for (int i = 0; i < 2; i++) {
        trace("other:" + isInterrupted());
        scheduler.yield();
      }
    });
    scheduler.start();
    assertFalse(Thread.interrupted());
    assertTrace("other:false own:true other:false own:true own:false");
  }

  @Test
  void byATaskThatEnds_theOthersGoOnAndItIsReported() {
    try (var log = new CapturedLog()) {
      scheduler.spawn("rude", () -> Thread.currentThread().interrupt());
      scheduler.spawn(() -> {
        trace("other:" + isInterrupted());
        scheduler.await(Delay.of(Duration.ofSeconds(1)));
        trace("ends");
      });
      scheduler.start();
      assertFalse(Thread.interrupted());
      assertTrace("other:false ends");
      assertEquals(
          backend.sharesThread()
              ? List.of("WARN task 'rude' has ended after it interrupted its own thread")
              : List.of(),
          log.lines());
    }
  }

  @Test
  void byATask_itsNextBlockingCallFails() {
    runTask(() -> {
      Thread.currentThread().interrupt();
      scheduler.yield();
      try {
        new CountDownLatch(0).await();
        trace("not interrupted");
      } catch (InterruptedException e) {
        trace("interrupted");
      }
    });
    assertTrace("interrupted");
  }

  @Test
  void byATaskThatWaitsForAnother_isKeptForIt() {
    Task<Integer> joined =
        scheduler.newTask(
            "joined",
            () -> {
              trace("joined:" + isInterrupted());
              scheduler.yield();
              return 1;
            });
    runTask(() -> {
      scheduler.scheduleTask(joined);
      Thread.currentThread().interrupt();
      joined.join();
      trace("own:" + Thread.interrupted());
    });
    assertTrace("joined:false own:true");
  }

  @Test
  void byAStepTaskOrARunnable_endsNothing() {
    try (var log = new CapturedLog()) {
      var steps = new int[1];
      scheduler
          .host()
          .spawnSteps(
              "steps",
              self -> {
                if (steps[0]++ == 0) {
                  Thread.currentThread().interrupt();
                  return StepResult.AGAIN;
                }
                trace("step:" + Thread.interrupted());
                return StepResult.DONE;
              });
      scheduler.execute(
          new Runnable() {
            @Override
            public void run() {
              Thread.currentThread().interrupt();
            }

            @Override
            public String toString() {
              return "rude";
            }
          });
      scheduler.spawn(() -> {
        trace("other:" + isInterrupted());
        scheduler.await(Delay.of(Duration.ofSeconds(1)));
        trace("ends");
      });
      scheduler.start();
      assertFalse(Thread.interrupted());
      assertTrace("other:false step:true ends");
      assertEquals(
          List.of("WARN task 'execute rude' has ended after it interrupted its own thread"),
          log.lines());
    }
  }

  @Test
  void byAnEvent_endsNothing() {
    try (var log = new CapturedLog()) {
      scheduler.post(() -> Thread.currentThread().interrupt());
      runTask(() -> {
        trace(isInterrupted());
        scheduler.await(Delay.of(Duration.ofSeconds(1)));
      });
      assertFalse(Thread.interrupted());
      assertTrace("false");
      assertEquals(
          List.of("WARN code that ran between two turns has interrupted its own thread"),
          log.lines());
    }
  }

  // From outside.

  @Test
  void fromOutside_whileATaskRuns_endsTheRunAndIsReported() {
    Thread loop = Thread.currentThread();
    try (var log = new CapturedLog()) {
      Task<Void> task =
          scheduler.spawn(() -> {
            interruptFromOutside(loop);
            while (true) {
              scheduler.yield();
            }
          });
      scheduler.start();
      assertTrue(Thread.interrupted(), "the caller does not find it");
      assertFalse(task.isDone());
      assertEquals(List.of(STOPPED), log.lines());
      task.cancel("the test is over");
      scheduler.start();
      assertFalse(Thread.interrupted());
    }
  }

  @Test
  void fromOutside_takenByTheRunningTask_endsTheRunAllTheSame() {
    assumeTrue(backend.sharesThread());
    Thread loop = Thread.currentThread();
    try (var log = new CapturedLog()) {
      Task<Object> task =
          scheduler.spawn(() -> {
            interruptFromOutside(loop);
            trace(Thread.interrupted());
            return scheduler.suspend();
          });
      scheduler.spawn(() -> {
        while (!task.isCancelled()) {
          scheduler.yield();
        }
      });
      scheduler.start();
      assertTrace("true");
      assertTrue(Thread.interrupted(), "the caller does not find it");
      assertEquals(List.of(STOPPED), log.lines());
      task.cancel("the test is over");
      scheduler.start();
    }
  }

  @Test
  void fromOutside_inATurnThatEndsInABlockingCall_endsTheRunAllTheSame() {
    assumeTrue(backend.name().equals("BOUND"));
    Thread loop = Thread.currentThread();
    try (var log = new CapturedLog()) {
      Task<Object> task =
          scheduler.spawn(() -> {
            elsewhere(() -> {
              loop.interrupt();
              return null;
            });
            return scheduler.suspend();
          });
      scheduler.start();
      assertTrue(Thread.interrupted(), "the caller does not find it");
      assertEquals(List.of(STOPPED), log.lines());
      drive();
      task.cancel("the test is over");
      scheduler.start();
    }
  }

  @Test
  void beforeTheRun_endsItAtOnce() {
    try (var log = new CapturedLog()) {
      scheduler.spawn(() -> trace("ran"));
      Thread.currentThread().interrupt();
      scheduler.start();
      assertTrue(Thread.interrupted(), "the caller does not find it");
      assertTrace("");
      assertEquals(List.of(STOPPED), log.lines());
      scheduler.start();
      assertTrace("ran");
    }
  }

  /// As after a run that an interrupt has ended: a file that is closed in a `finally` block is not
  /// cut short.
  @Test
  void beforeTheClose_isFoundByTheCallerAndNotByTasksThatCleanUp() {
    scheduler.spawn(
        "cleaning",
        () -> {
          try {
            scheduler.suspend();
          } finally {
            trace("first:" + isInterrupted());
            scheduler.shielded(() -> scheduler.await(Delay.of(Duration.ofSeconds(1))));
            trace("later:" + isInterrupted());
          }
        });
    scheduler.spawn("unbegun", () -> trace("never"));
    scheduler.step();
    scheduler.post(() -> trace("posted:" + isInterrupted()));
    Thread.currentThread().interrupt();
    scheduler.close();
    assertTrue(Thread.interrupted(), "the caller does not find it");
    assertTrace("posted:false first:false later:false");
  }

  @Test
  void afterTheRun_theThreadIsTheCallersOwnAgain() {
    runTask(scheduler::yield);
    interruptFromOutside(Thread.currentThread());
    assertTrue(Thread.interrupted());
    runTask(() -> {
      scheduler.yield();
      trace("ran");
    });
    assertFalse(Thread.interrupted());
    assertTrace("ran");
  }
}
