package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.IdleStrategy;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/// The orderly end: `shutdown(grace)`.
@BackendsDiffer
class StopTest extends SchedulerTest {

  private static final Duration GRACE = Duration.ofSeconds(10);

  private void sleep(Duration duration) {
    try {
      scheduler.await(Waitable.never(), duration);
    } catch (TimedOutException _) {
      // slept
    }
  }

  private Task<Void> worker(String name, Duration takes) {
    return scheduler.spawn(
        name,
        () -> {
          try {
            sleep(takes);
            trace(name + ":done");
          } finally {
            trace(name + ":finally");
          }
        });
  }

  private CompletableFuture<List<TaskInfo>> stopFromATask() {
    return scheduler
        .<CompletableFuture<List<TaskInfo>>>spawn(() -> scheduler.shutdown(GRACE, GRACE))
        .toCompletableFuture()
        .thenCompose(end -> end);
  }

  /// For a program that sleeps for ever until a signal ends it.
  private static final String HINT =
      "; to go on until a signal ends the program, await shutdownRequested()";

  @Test
  void stop_workEndsWithinTheGrace_nobodyIsCancelled() {
    worker("A", Duration.ofSeconds(9));
    var end = stopFromATask();
    scheduler.start();
    assertTrace("A:done A:finally");
    assertEquals(List.of(), end.join());
    assertEquals(Duration.ofSeconds(9), time.elapsed());
  }

  @Test
  void stop_workTakesTooLong_isCancelledYoungestFirst() {
    for (String name : List.of("A", "B", "C")) {
      worker(name, Duration.ofSeconds(11));
    }
    var end = stopFromATask();
    scheduler.start();
    assertTrace("C:finally B:finally A:finally");
    assertEquals(List.of(), end.join());
    assertEquals(GRACE, time.elapsed());
  }

  @Test
  void stop_aTaskThatWasWokenBeforeItIsCancelled_isCancelledWhereItSpawns() {
    Task<Void> woken =
        scheduler.spawn(() -> {
          scheduler.suspend();
          try {
            worker("late", GRACE.multipliedBy(3)); // nothing would cancel it any more
          } catch (TaskCancelled cancelled) {
            trace(cancelled.reason());
            throw cancelled;
          }
        });
    var end = stopFromATask();
    scheduler.spawn(() -> {
      sleep(GRACE.minusMillis(1)); // from here on the loop looks at the clock after each turn
      assertTrue(scheduler.scheduleTask(woken, "given"));
      time.advance(Duration.ofMillis(1)); // so the shutdown is due before that turn
    });
    scheduler.start();
    assertTrace("the scheduler stops");
    assertEquals(List.of(), end.join());
    assertEquals(GRACE, time.elapsed());
  }

  @Test
  void stop_cleaningUpTakesAWhile_isWaitedFor() {
    scheduler.spawn(() -> {
      try {
        scheduler.suspend();
      } finally {
        scheduler.shielded(() -> {
          sleep(Duration.ofSeconds(9));
          return null;
        });
        trace("clean");
      }
    });
    var end = stopFromATask();
    scheduler.start();
    assertTrace("clean");
    assertEquals(List.of(), end.join());
    assertEquals(Duration.ofSeconds(19), time.elapsed());
  }

  @Test
  void stop_taskIgnoresItsCancellation_isReportedWithItsStackAndGivenUp() {
    int[] told = {0};
    Scheduler own = newScheduler();
    time.serve(own);
    time.advancePerRead(Duration.ofMillis(1)); // or a busy loop would never end
    Task<Void> stubborn =
        own.spawn(
            "stubborn",
            () -> {
              while (true) {
                try {
                  own.yield();
                } catch (TaskCancelled _) {
                  told[0]++;
                }
              }
            });
    var end = own.shutdown(GRACE, GRACE);
    own.start();
    time.advancePerRead(Duration.ZERO);
    assertEquals(List.of("stubborn"), end.join().stream().map(TaskInfo::name).toList());
    List<Reported> reports = takeReported();
    assertEquals(2, reports.size());
    assertInstanceOf(CancelIgnoredException.class, reports.getFirst().failure());
    Throwable failure = reports.getLast().failure();
    assertTrue(
        failure.getMessage().contains("did not end in its time to clean up"), failure.getMessage());
    assertTrue(
        List.of(failure.getStackTrace()).stream()
            .anyMatch(frame -> frame.getClassName().equals(StopTest.class.getName())));
    assertTrue(told[0] > 1, "it was told again and again");
    assertFalse(stubborn.isDone());
    own.close();
    assertEquals(List.of(), takeReported(), "told once");
  }

  @Test
  void stop_taskWaitsShieldedForEver_isGivenUpAndCloseDoesNotWait() {
    Scheduler own = newScheduler();
    time.serve(own);
    KeepAlive calls = own.keepAlive();
    own.spawn(
        "shielded",
        () -> {
          own.shielded(() -> own.await(Waitable.never()));
        });
    var end = own.shutdown(GRACE, GRACE);
    own.start();
    assertEquals(1, end.join().size());
    assertEquals(Duration.ofSeconds(20), time.elapsed());
    assertEquals(1, takeReported().size());
    own.close();
    assertEquals(List.of(), takeReported());
    calls.close();
  }

  @Test
  void stop_zeroGrace_everyFinallyRunsAllTheSame() {
    for (int i = 0; i < 20; i++) {
      worker("A", GRACE);
    }
    scheduler.spawn(() -> {
      sleep(Duration.ZERO);
      time.advancePerRead(Duration.ofMillis(1)); // slow turns: the loop makes a pass after each
      scheduler.shutdown(Duration.ZERO, Duration.ZERO);
      trace("asked");
    });
    scheduler.start();
    time.advancePerRead(Duration.ZERO);
    assertTrace("asked" + " A:finally".repeat(20));
  }

  @Test
  void stop_taskThatNeverRan_neverRuns() {
    Task<Void> later = scheduler.newTask("later", () -> trace("ran"));
    scheduler.spawn(() -> {
      scheduler.spawn(() -> scheduler.suspend());
      scheduler.queue().scheduleOn(later, Waitable.never());
      scheduler.shutdown(GRACE, GRACE);
    });
    scheduler.start();
    assertTrue(later.isCancelled());
  }

  @Test
  void stop_daemonsAndAddOns_areNotWaitedFor() {
    Task<Void> daemon =
        scheduler.newTask(
            "daemon",
            () -> {
              try {
                scheduler.suspend();
              } finally {
                trace("daemon");
              }
            });
    scheduler.scheduleTask(daemon.daemon());
    var end = stopFromATask();
    scheduler.start();
    assertTrue(end.isDone());
    assertTrace("");
    scheduler.close();
    assertTrace("daemon");
  }

  @Test
  void stopping_acceptingTask_isToldAndEndsByItself() {
    scheduler.spawn(
        "acceptor",
        () -> {
          scheduler.select(Waitable.never(), scheduler.shutdownRequested());
          trace("told");
        });
    scheduler.spawn(
        "late",
        () -> {
          sleep(Duration.ofSeconds(1));
          scheduler.shutdown(GRACE, GRACE);
          scheduler.await(scheduler.shutdownRequested());
          trace("known");
        });
    scheduler.start();
    assertTrace("known told");
    assertEquals(Duration.ofSeconds(1), time.elapsed());
  }

  /// On BOUND the call suspends only the task that makes it.
  @Test
  void shutdown_itsEndIsJoinedByATask_isRefusedWhereItWouldBlockTheLoop() {
    scheduler.spawn(
        "main",
        () -> {
          var end = scheduler.shutdown(GRACE, GRACE);
          if (!backend.mountsOnLoopThread() || backend.sharesThread()) {
            String told = assertThrows(IllegalStateException.class, end::join).getMessage();
            assertTrue(
                told.contains("join of the end of the shutdown by task 'main' would block"), told);
          }
        });
    scheduler.start();
  }

  @Test
  void shutdownRequested_onlyThatIsAwaited_isNoDeadlockIfAnotherThreadMayAsk() {
    scheduler.spawn(
        "server",
        () -> {
          scheduler.await(scheduler.shutdownRequested());
          trace("told");
        });
    String told = assertThrows(DeadlockException.class, scheduler::start).getMessage();
    assertFalse(told.contains(HINT), told);
    LoopControl.of(scheduler.host()).expectShutdown();
    scheduler.host().idleStrategy(new AsksWhenIdle());
    scheduler.start();
    assertTrace("told");
  }

  /// Asks for the shutdown, on another thread, when the loop has nothing to do.
  private final class AsksWhenIdle implements IdleStrategy {
    @Override
    public void idleUntil(long deadlineNanos) {
      idle();
    }

    @Override
    public void idle() {
      try {
        elsewhere(() -> scheduler.shutdown(GRACE, GRACE));
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void wakeup() {}
  }

  @Test
  void shutdownRequested_awaitedByADaemon_hidesNoDeadlock() {
    LoopControl.of(scheduler.host()).expectShutdown();
    Task<Void> daemon =
        scheduler.newTask(
            "daemon",
            () -> {
              scheduler.await(scheduler.shutdownRequested());
            });
    scheduler.scheduleTask(daemon.daemon());
    scheduler.spawn("stuck", () -> scheduler.suspend());
    var deadlock = assertThrows(DeadlockException.class, scheduler::start);
    assertTrue(deadlock.getMessage().contains("'stuck'"), deadlock.getMessage());
    assertTrue(deadlock.getMessage().contains(HINT), deadlock.getMessage());
    scheduler.close();
  }

  @Test
  void stop_intake_isClosedForThreadsAndMainButNotForTasks() throws Exception {
    scheduler.spawn(
        "parent",
        () -> {
          scheduler.shutdown(GRACE, GRACE);
          scheduler.spawn("child", () -> trace("child"));
          scheduler.execute(() -> trace("executed"));
          elsewhere(() ->
              assertThrows(RejectedExecutionException.class, () -> scheduler.execute(() -> {})));
        });
    scheduler.start();
    assertTrace("child executed");
    var refused =
        assertThrows(IllegalStateException.class, () -> scheduler.spawn(() -> trace("main")));
    assertEquals(
        "the scheduler is stopping: it takes new tasks from its own tasks only",
        refused.getMessage());
    assertThrows(RejectedExecutionException.class, () -> scheduler.execute(() -> {}));
  }

  @Test
  void stop_againWithMoreTime_changesNothing() {
    worker("A", Duration.ofMinutes(1));
    scheduler.spawn(() -> {
      scheduler.shutdown(GRACE, GRACE);
      scheduler.shutdown(Duration.ofMinutes(5), Duration.ofMinutes(5));
    });
    scheduler.start();
    assertTrace("A:finally");
    assertEquals(GRACE, time.elapsed());
  }

  @Test
  void stop_againWithLessTime_comesSooner() {
    worker("A", Duration.ofMinutes(1));
    scheduler.spawn(() -> {
      var first = scheduler.shutdown(GRACE, GRACE);
      sleep(Duration.ofSeconds(1));
      var second = scheduler.shutdown(Duration.ofSeconds(2), Duration.ofSeconds(2));
      assertFalse(first.isDone() || second.isDone());
    });
    scheduler.start();
    assertTrace("A:finally");
    assertEquals(Duration.ofSeconds(3), time.elapsed());
  }

  @Test
  void stop_againWithLessTimeToCleanUp_countsWhenItComesToThat() {
    Scheduler own = newScheduler();
    time.serve(own);
    own.spawn(
        "shielded",
        () -> {
          own.shielded(() -> own.await(Waitable.never()));
        });
    own.shutdown(GRACE, GRACE);
    own.shutdown(GRACE, Duration.ofSeconds(1));
    own.start();
    assertEquals(Duration.ofSeconds(11), time.elapsed());
    assertEquals(1, takeReported().size());
    own.close();
  }

  @Test
  void stop_againWhileCleaningUp_endsIt() {
    Scheduler own = newScheduler();
    time.serve(own);
    own.spawn(
        "shielded",
        () -> {
          own.shielded(() -> {
            try {
              own.await(Waitable.never(), Duration.ofSeconds(12));
            } catch (TimedOutException _) {
              own.shutdown(Duration.ZERO, Duration.ZERO);
            }
            return own.await(Waitable.never());
          });
        });
    own.shutdown(GRACE, GRACE);
    own.start();
    assertEquals(Duration.ofSeconds(12), time.elapsed());
    assertEquals(1, takeReported().size());
    own.close();
  }

  @Test
  void stop_fromAThread_wakesTheSleepingLoop() throws Exception {
    KeepAlive calls = scheduler.keepAlive();
    Task<Void> waiting =
        scheduler.spawn(
            "waiting",
            () -> {
              scheduler.await(Waitable.never());
            });
    var asked = new CompletableFuture<CompletableFuture<List<TaskInfo>>>();
    scheduler.spawn(() -> {
      Thread.ofPlatform()
          .daemon()
          .start(() -> asked.complete(scheduler.shutdown(Duration.ZERO, Duration.ZERO)));
    });
    scheduler.start();
    assertTrue(waiting.isCancelled());
    assertEquals(List.of(), asked.join().join());
    calls.close();
  }

  @Test
  void stop_nothingRuns_isOverAtOnceWhenNoWorkIsThere() {
    assertEquals(List.of(), scheduler.shutdown(GRACE, GRACE).getNow(null));
  }

  @Test
  void stop_thenClose_completes() {
    scheduler.spawn(() -> scheduler.suspend());
    scheduler.step();
    var end = scheduler.shutdown(GRACE, GRACE);
    assertFalse(end.isDone());
    scheduler.close();
    assertEquals(List.of(), end.join());
  }

  @Test
  void stop_afterClose_isOver() throws Exception {
    scheduler.close();
    assertEquals(List.of(), scheduler.shutdown(GRACE, GRACE).join());
    assertEquals(List.of(), elsewhere(() -> scheduler.shutdown(GRACE, GRACE).join()));
  }

  @Test
  void stop_negative_isRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> scheduler.shutdown(Duration.ofNanos(-1), Duration.ofNanos(-1)));
    assertThrows(
        IllegalArgumentException.class, () -> scheduler.shutdown(GRACE, Duration.ofNanos(-1)));
    scheduler.spawn(() -> {});
    scheduler.start();
  }

  @Test
  void stop_forEver_waitsForTheWork() {
    worker("A", Duration.ofDays(100));
    scheduler.spawn(() -> {
      scheduler.shutdown(Duration.ofSeconds(Long.MAX_VALUE), Duration.ofSeconds(Long.MAX_VALUE));
    });
    scheduler.start();
    assertTrace("A:done A:finally");
  }

  @Test
  void stop_askedOfAClosedScheduler_answersWhoWouldNotGoOnAnyThread() throws Exception {
    Scheduler own = newScheduler();
    own.spawn("stubborn", () -> own.shielded(() -> own.await(Waitable.never())));
    own.step();
    own.close();
    assertEquals("stubborn", own.shutdown(GRACE, GRACE).join().getFirst().name());
    assertEquals("stubborn", elsewhere(() -> own.shutdown(GRACE, GRACE).join()).getFirst().name());
    assertEquals(1, takeReported().size());
  }

  @Test
  void stop_closedByWhoIsToldOfTheEnd_insideATaskOfAnother_thatOneGoesOn() {
    runTask(() -> {
      Scheduler inner =
          Thread.currentThread().isVirtual()
              ? Scheduler.builder().backend(CoroutineBackends.handoff()).build()
              : newScheduler();
      inner.spawn(() -> {
        var _ = inner.shutdown(GRACE, GRACE).thenRun(inner::close);
      });
      inner.start();
      assertThrows(IllegalStateException.class, inner::start, "closed");
      assertSame(scheduler, Scheduler.current());
      scheduler.yield();
      trace("goes on");
    });
    assertTrace("goes on");
  }

  @Test
  void stop_forEverAndNothingCanWakeTheRest_isADeadlock() {
    Task<Void> stuck =
        scheduler.spawn(
            "stuck",
            () -> {
              scheduler.suspend();
            });
    var end =
        scheduler.shutdown(Duration.ofSeconds(Long.MAX_VALUE), Duration.ofSeconds(Long.MAX_VALUE));
    assertThrows(DeadlockException.class, scheduler::start);
    scheduler.shutdown(Duration.ofSeconds(1), Duration.ofSeconds(1));
    scheduler.start();
    assertTrue(stuck.isCancelled());
    assertEquals(List.of(), end.join());
    assertEquals(Duration.ofSeconds(1), time.elapsed());
  }

  /// docs/inside/semantics.md, rule 43.
  @Test
  void stop_whatKeepsTheDrain_isNamedAfterASecondAndAtItsEnd() {
    worker("A", Duration.ofMinutes(1));
    try (var log = new CapturedLog()) {
      var _ = scheduler.shutdown(GRACE, GRACE);
      scheduler.start();
      List<String> heads =
          log.lines().stream().map(line -> line.lines().findFirst().orElseThrow()).toList();
      assertEquals(
          List.of(
              "WARN the shutdown has drained for 1 s, and waits for:",
              "WARN the drain of the shutdown is over; cancelled are:"),
          heads);
      for (String line : log.lines()) {
        assertTrue(line.contains("'A'"), line);
      }
    }
    assertTrace("A:finally");
  }

  @Test
  void stop_workEndsWithinASecond_isNotNamed() {
    worker("A", Duration.ofMillis(900));
    try (var log = new CapturedLog()) {
      var _ = scheduler.shutdown(GRACE, GRACE);
      scheduler.start();
      assertEquals(List.of(), log.lines());
    }
    assertTrace("A:done A:finally");
  }
}
