package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.Waitable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// [WaitForTime#delay] and [WaitForTime#periodic].
final class TimerTest extends TimerFixture {

  private static final Duration HUGE = Duration.ofSeconds(Long.MAX_VALUE);

  // Delay.

  @Test
  void delay_alone_keepsTheSchedulerRunningUntilItFires() {
    timer = time().delay(ms(10), () -> log("fired"));
    assertTrue(timer.isActive());
    scheduler().start();
    assertEquals(List.of("fired@10"), log);
    assertFalse(timer.isActive());
    assertEquals(1, timer.fired());
    assertEquals(0, timer.missed());
    assertFalse(timer.cancel());
  }

  @Test
  void delay_equalDeadlines_armingOrder() {
    for (int i = 0; i < 10; i++) {
      int n = i;
      time().delay(ms(10), () -> log.add(n));
    }
    scheduler().start();
    assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), log);
  }

  @Test
  void delay_actionSuspends_othersGoOn() {
    time()
        .delay(
            ms(10),
            () -> {
              sleep(10);
              log("slow");
            });
    time().delay(ms(15), () -> log("other"));
    scheduler().start();
    assertEquals(List.of("other@15", "slow@20"), log);
  }

  @Test
  void delay_zero_behindTheReadyTasks() {
    run(() -> {
      time().delay(Duration.ZERO, () -> log("delayed"));
      scheduler().spawn(() -> log("spawned"));
      log("main1");
      scheduler().yield();
      log("main2");
    });
    assertEquals(List.of("main1@0", "delayed@0", "spawned@0", "main2@0"), log);
  }

  @Test
  void delay_badArguments_refusedAndNothingLeft() {
    assertEquals(
        "delay must not be negative, but is -1 s",
        assertThrows(
                IllegalArgumentException.class,
                () -> time().delay(Duration.ofSeconds(-1), () -> {}))
            .getMessage());
    assertEquals(
        "delay is null",
        assertThrows(NullPointerException.class, () -> time().delay(null, () -> {})).getMessage());
    assertEquals(
        "action is null",
        assertThrows(NullPointerException.class, () -> time().delay(ms(1), (TaskAction<?>) null))
            .getMessage());
  }

  @Test
  void delay_huge_waitsUntilCancelled() {
    timer = time().delay(HUGE, () -> log("never"));
    clock.advanceBy(Duration.ofDays(36_500));
    assertTrue(timer.isActive());
    assertTrue(timer.cancel());
    scheduler().start();
    assertEquals(List.of(), log);
  }

  @Test
  void delay_actionFails_reportedOnce() {
    var failure = new IllegalStateException("on purpose");
    timer =
        time()
            .delay(
                ms(10),
                () -> {
                  throw failure;
                });
    scheduler().start();
    assertEquals(List.of(failure), takeFailures());
    assertFalse(timer.isActive());
  }

  // Cancel.

  @Test
  void cancel_beforeItIsDue_neverRunsAndHoldsNothing() {
    timer = time().delay(ms(10), () -> log("never"));
    assertTrue(timer.cancel());
    assertFalse(timer.cancel());
    assertEquals(0, time().waiterCount());
    scheduler().start();
    assertEquals(Duration.ZERO, clock.elapsed());
    assertEquals(0, timer.fired());
  }

  @Test
  void cancel_dueButNotFiredYet_suppressed() {
    timer = time().delay(ms(10), () -> log("never"));
    clock.skip(ms(10));
    assertTrue(timer.cancel());
    scheduler().start();
    assertEquals(List.of(), log);
  }

  @Test
  void cancel_firedButNotRunYet_suppressed() {
    time().delay(ms(10), () -> log.add(timer.cancel()));
    timer = time().delay(ms(10), () -> log("never"));
    scheduler().start();
    assertEquals(List.of(true), log);
  }

  @Test
  void cancel_periodicFiredButNotRunYet_suppressed() {
    time().delay(ms(20), () -> log.add(timer.cancel()));
    every10(() -> log("tick"));
    scheduler().start();
    // armed again at 10, so behind the delay that was armed at 0
    assertEquals(List.of("tick@10", true), log);
    assertEquals(1, timer.fired());
  }

  @Test
  void cancel_betweenTicks_endsTheScheduler() {
    every10(() -> log("tick"));
    run(() -> {
      sleep(25);
      assertTrue(timer.cancel());
      assertEquals(0, time().waiterCount());
    });
    assertEquals(List.of("tick@10", "tick@20"), log);
    assertEquals(ms(25), clock.elapsed());
  }

  @Test
  void cancel_byItsOwnAction_lastTickAndActionGoesOn() {
    every10(() -> {
      log("tick");
      if (timer.fired() == 3) {
        assertTrue(timer.cancel());
        assertFalse(timer.cancel());
        sleep(1);
        log("end");
      }
    });
    scheduler().start();
    assertEquals(List.of("tick@10", "tick@20", "tick@30", "end@31"), log);
  }

  @Test
  void cancel_actionSuspended_actionGoesOnToItsEnd() {
    every10(() -> {
      sleep(5);
      log("end");
    });
    run(() -> {
      sleep(12);
      assertTrue(timer.cancel());
    });
    assertEquals(List.of("end@15"), log);
  }

  // Periodic.

  @Test
  void periodic_quickAction_keepsItsPhase() {
    every10(() -> log("tick"));
    clock.advanceBy(ms(35));
    assertEquals(List.of("tick@10", "tick@20", "tick@30"), log);
    timer.cancel();
    scheduler().start();
    assertEquals(0, timer.missed());
  }

  @Test
  void periodic_ownFirstDelay_phaseFromThere() {
    timer = time().periodic(ms(3), ms(10), TickPolicy.SKIP, () -> log("tick"));
    clock.advanceBy(ms(25));
    assertEquals(List.of("tick@3", "tick@13", "tick@23"), log);
    timer.cancel();
    scheduler().start();
  }

  @Test
  void periodic_actionTakesSomeTime_noDrift() {
    every10(() -> {
      clock.skip(Duration.ofNanos(1_234_567));
      if (timer.fired() == 10_000) {
        timer.cancel();
      }
    });
    scheduler().start();
    assertEquals(ms(100_000).plusNanos(1_234_567), clock.elapsed());
    assertEquals(0, timer.missed());
  }

  @Test
  void periodic_actionLongerThanThePeriod_ticksSkippedAndCounted() {
    every10(() -> {
      log("tick");
      sleep(25);
    });
    clock.advanceBy(ms(75));
    assertEquals(List.of("tick@10", "tick@40", "tick@70"), log);
    assertEquals(4, timer.missed()); // 20 30, 50 60
    timer.cancel();
    scheduler().start();
  }

  @Test
  void periodic_actionEndsJustAtATick_thatTickIsNotMissed() {
    every10(() -> {
      log("tick");
      sleep(20);
    });
    clock.advanceBy(ms(55));
    assertEquals(List.of("tick@10", "tick@30", "tick@50"), log);
    assertEquals(2, timer.missed()); // 20, 40
    timer.cancel();
    scheduler().start();
  }

  @Test
  void periodic_longTurnOfAnother_lateTickOnceThenPhase() {
    every10(() -> log("tick"));
    run(() -> {
      clock.skip(ms(45));
      sleep(20);
      timer.cancel();
    });
    assertEquals(List.of("tick@45", "tick@50", "tick@60"), log);
    assertEquals(3, timer.missed()); // 20 30 40
  }

  @Test
  void periodic_zero_oncePerRound() {
    timer =
        time()
            .periodic(
                Duration.ZERO,
                () -> {
                  log("tick");
                  if (timer.fired() == 3) {
                    timer.cancel();
                  }
                });
    run(() -> {
      for (int i = 0; i < 3; i++) {
        log("main");
        scheduler().yield();
      }
    });
    assertEquals(List.of("tick@0", "main@0", "tick@0", "main@0", "tick@0", "main@0"), log);
  }

  @Test
  void periodic_huge_noTickAndNoOverflow() {
    timer = time().periodic(ms(1), HUGE, TickPolicy.SKIP, () -> log("tick"));
    clock.advanceBy(Duration.ofDays(36_500));
    assertEquals(List.of("tick@1"), log);
    timer.cancel();
    scheduler().start();
  }

  @Test
  void periodic_badArguments_refused() {
    assertEquals(
        "period must not be negative, but is -1 ms",
        assertThrows(IllegalArgumentException.class, () -> time().periodic(ms(-1), () -> {}))
            .getMessage());
    assertEquals(
        "period is null",
        assertThrows(NullPointerException.class, () -> time().periodic(null, () -> {}))
            .getMessage());
    assertThrows(
        IllegalArgumentException.class,
        () -> time().periodic(ms(1), ms(-1), TickPolicy.SKIP, () -> {}));
    assertEquals(
        "period is null",
        assertThrows(
                NullPointerException.class,
                () -> time().periodic(ms(1), null, TickPolicy.SKIP, () -> {}))
            .getMessage());
  }

  @Test
  void periodic_actionFails_endsAndIsReported() {
    var failure = new IllegalStateException("on purpose");
    every10(() -> {
      log("tick");
      if (timer.fired() == 2) {
        throw failure;
      }
    });
    scheduler().start();
    assertEquals(List.of("tick@10", "tick@20"), log);
    assertEquals(List.of(failure), takeFailures());
    assertFalse(timer.isActive());
    assertFalse(timer.cancel());
  }

  @Test
  void periodic_actionNeverReturns_noSecondRunAndOthersGoOn() {
    every10(() -> {
      log("tick");
      scheduler().await(Waitable.never());
    });
    time().delay(ms(50), () -> log("other"));
    assertThrows(DeadlockException.class, () -> scheduler().start());
    assertEquals(List.of("tick@10", "other@50"), log);
    assertTrue(timer.cancel());
    scheduler().close();
    closedByTheTest = true;
  }

  @Test
  void periodic_schedulerStoppedAndStartedAgain_goesOn() {
    every10(() -> {
      log("tick");
      scheduler().stop();
    });
    scheduler().start();
    scheduler().start();
    assertEquals(List.of("tick@10", "tick@20"), log);
    timer.cancel();
    scheduler().start();
  }

  // Restart.

  @Test
  void restart_beforeItIsDue_countsFromThereAndFiresOnce() {
    timer = time().delay(ms(10), () -> log("fired"));
    run(() -> {
      sleep(8);
      timer.restart();
      assertEquals(1, time().waiterCount());
    });
    assertEquals(List.of("fired@18"), log);
  }

  @Test
  void restart_firedButNotRunYet_onlyTheNewTick() {
    time().delay(ms(10), () -> timer.restart());
    timer = time().delay(ms(10), () -> log("fired"));
    scheduler().start();
    assertEquals(List.of("fired@20"), log);
    assertEquals(1, timer.fired());
  }

  @Test
  void restart_periodicFiredButNotRunYet_onlyTheNewPhase() {
    time().delay(ms(20), () -> timer.restart());
    every10(() -> log("tick"));
    clock.advanceBy(ms(40));
    assertEquals(List.of("tick@10", "tick@30", "tick@40"), log);
    timer.cancel();
    scheduler().start();
  }

  @Test
  void restart_afterItHasFired_firesAgain() {
    timer = time().delay(ms(10), () -> log("fired"));
    scheduler().start();
    timer.restart();
    assertTrue(timer.isActive());
    scheduler().start();
    assertEquals(List.of("fired@10", "fired@20"), log);
    assertEquals(2, timer.fired());
  }

  @Test
  void restart_afterCancel_firesAgain() {
    every10(() -> log("tick"));
    run(() -> {
      sleep(15);
      timer.cancel();
      timer.restart();
      sleep(15);
      timer.cancel();
    });
    assertEquals(List.of("tick@10", "tick@25"), log);
  }

  @Test
  void restart_byItsOwnAction_onceMore() {
    timer =
        time()
            .delay(
                ms(10),
                () -> {
                  log("fired");
                  if (timer.fired() < 3) {
                    timer.restart();
                  }
                });
    scheduler().start();
    assertEquals(List.of("fired@10", "fired@20", "fired@30"), log);
  }

  @Test
  void restart_whileTheActionIsUnderWay_newPhaseAfterIt() {
    every10(() -> {
      log("begin");
      sleep(4);
      log("end");
    });
    run(() -> {
      sleep(12);
      timer.restart();
      sleep(17);
      timer.cancel();
    });
    assertEquals(List.of("begin@10", "end@14", "begin@22", "end@26"), log);
    assertEquals(0, timer.missed());
  }

  @Test
  void restart_zeroDelayWhileWaiting_runsOnce() {
    timer = time().periodic(Duration.ZERO, ms(10), TickPolicy.SKIP, () -> log("tick"));
    run(() -> {
      sleep(5);
      timer.restart();
      timer.restart();
      sleep(12);
      timer.cancel();
    });
    assertEquals(List.of("tick@0", "tick@5", "tick@15"), log);
  }

  @Test
  void toString_anyTimer_tellsItsTimes() {
    timer = time().periodic(ms(3), Duration.ofSeconds(1), TickPolicy.SKIP, () -> {});
    String thrown = CompletableFuture.supplyAsync(timer::toString).join(); // any thread
    assertEquals("timer (delay 3 ms, period 1 s)", thrown);
    timer.cancel();
    assertEquals("timer (delay 3 ms, period 1 s, not active)", timer.toString());
  }
}
