package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.BackendsDiffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Missed ticks of a periodic timer, and changes of its period.
@BackendsDiffer
final class TickPolicyTest extends TimerFixture {

  private static final int TICKS = 1_000_000;

  /// Each tick needs a stack of its own, so on the slower backends more ticks take seconds and
  /// prove nothing more.
  private static final int FEWER_TICKS = 10_000;

  private void periodic(TickPolicy policy) {
    timer = time().periodic(ms(10), ms(10), policy, () -> log("tick"));
  }

  /// Ticks are due at 10, 20, ..; another task delays the first one until 35.
  private void heldUp(TickPolicy policy) {
    periodic(policy);
    run(() -> {
      clock.skip(ms(35));
      sleep(22); // to 57
      timer.cancel();
    });
  }

  @Test
  void skip_heldUp_onceAndBackInPhase() {
    heldUp(TickPolicy.SKIP);
    assertEquals(List.of("tick@35", "tick@40", "tick@50"), log);
    assertEquals(2, timer.missed()); // 20, 30
  }

  @Test
  void burst_heldUp_madeUpForAtOnce() {
    heldUp(TickPolicy.BURST);
    assertEquals(List.of("tick@35", "tick@35", "tick@35", "tick@40", "tick@50"), log);
    assertEquals(0, timer.missed());
  }

  @Test
  void burst_heldUp_othersHaveTurnsInBetween() {
    periodic(TickPolicy.BURST);
    run(() -> {
      clock.skip(ms(30));
      for (int i = 0; i < 5; i++) {
        scheduler().yield();
        log("other");
      }
      timer.cancel();
    });
    assertEquals(
        List.of(
            "other@30",
            "tick@30",
            "other@30",
            "tick@30",
            "other@30",
            "tick@30",
            "other@30",
            "other@30"),
        log);
  }

  @Test
  void delay_heldUp_newPhase() {
    heldUp(TickPolicy.DELAY);
    assertEquals(List.of("tick@35", "tick@45", "tick@55"), log);
    assertEquals(2, timer.missed()); // 20, 30
  }

  @Test
  void delay_lateByLessThanAPeriod_phaseStays() {
    periodic(TickPolicy.DELAY);
    run(() -> {
      clock.skip(ms(19));
      sleep(15);
      timer.cancel();
    });
    assertEquals(List.of("tick@19", "tick@20", "tick@30"), log);
    assertEquals(0, timer.missed());
  }

  @Test
  void delay_actionTooLong_nextAtOnceAndNewPhase() {
    timer =
        time()
            .periodic(
                ms(10),
                ms(10),
                TickPolicy.DELAY,
                () -> {
                  log("tick");
                  sleep(timer.fired() == 1 ? 25 : 0);
                });
    clock.advanceBy(ms(57));
    assertEquals(List.of("tick@10", "tick@35", "tick@45", "tick@55"), log);
    assertEquals(1, timer.missed()); // 20 ran at 35, 30 did not run
    timer.cancel();
  }

  @Test
  void fixedDelay_heldUp_periodFromTheEnd() {
    heldUp(TickPolicy.FIXED_DELAY);
    assertEquals(List.of("tick@35", "tick@45", "tick@55"), log);
    assertEquals(0, timer.missed());
  }

  @Test
  void fixedDelay_actionTakesTime_periodFromItsEnd() {
    timer =
        time()
            .periodic(
                ms(10),
                ms(10),
                TickPolicy.FIXED_DELAY,
                () -> {
                  log("tick");
                  sleep(3);
                });
    clock.advanceBy(ms(37));
    assertEquals(List.of("tick@10", "tick@23", "tick@36"), log);
    timer.cancel();
    scheduler().start();
  }

  @Test
  void skip_millionTicks_noPhaseError() {
    boolean quick = backend.name().equals("CONTINUATION");
    keepsItsPhase(TickPolicy.SKIP, quick ? TICKS : FEWER_TICKS);
  }

  @Test
  void burstAndDelay_manyTicks_noPhaseError() {
    keepsItsPhase(TickPolicy.BURST, FEWER_TICKS);
    keepsItsPhase(TickPolicy.DELAY, FEWER_TICKS);
  }

  /// Each action takes some time, less than the period.
  private void keepsItsPhase(TickPolicy policy, int ticks) {
    Duration begin = clock.elapsed();
    Duration period = Duration.ofNanos(999_983); // a prime
    timer =
        time()
            .periodic(
                period,
                period,
                policy,
                () -> {
                  Duration due = begin.plus(period.multipliedBy(timer.fired()));
                  assertEquals(due, clock.elapsed());
                  clock.skip(Duration.ofNanos(timer.fired() % 999_000));
                  if (timer.fired() == ticks) {
                    timer.cancel();
                  }
                });
    scheduler().start();
    assertEquals(ticks, timer.fired());
    assertEquals(0, timer.missed());
  }

  @Test
  void periodic_policyNull_saysSo() {
    var e =
        assertThrows(
            NullPointerException.class, () -> time().periodic(ms(1), ms(1), null, () -> {}));
    assertEquals("policy is null", e.getMessage());
  }

  // Reschedule.

  @Test
  void reschedule_newDelay_periodStays() {
    periodic(TickPolicy.SKIP);
    run(() -> {
      sleep(15);
      timer.reschedule(ms(1));
      sleep(12);
      timer.cancel();
    });
    assertEquals(List.of("tick@10", "tick@16", "tick@26"), log);
  }

  @Test
  void reschedule_byItsOwnAction_afterItsEnd() {
    every10(() -> {
      log("tick");
      if (timer.fired() == 1) {
        timer.reschedule(ms(3));
        assertTrue(timer.isActive());
      }
    });
    clock.advanceBy(ms(19));
    assertEquals(List.of("tick@10", "tick@13"), log);
    timer.cancel();
  }

  @Test
  void reschedule_badArguments_refusedAndNothingChanged() {
    timer = time().delay(ms(10), () -> log("fired"));
    assertThrows(IllegalArgumentException.class, () -> timer.reschedule(ms(-1)));
    scheduler().start();
    assertEquals(List.of("fired@10"), log);
  }

  // Actions.

  @Test
  void action_armsHundredThousandMore_allFireInOrder() {
    int[] fired = {0};
    time()
        .delay(
            ms(1),
            () -> {
              for (int i = 0; i < 100_000; i++) {
                int n = i;
                time()
                    .at(
                        scheduler().host().deadlineAfter(ms(i / 1_000)),
                        () -> assertEquals(n, fired[0]++));
              }
              sleep(200);
            });
    scheduler().start();
    assertEquals(100_000, fired[0]);
    assertEquals(ms(201), clock.elapsed());
  }

  @Test
  void action_cancelsItsOwnTask_timerEnds() {
    every10(() -> {
      log("tick");
      scheduler().currentTask().cancel("on purpose");
      scheduler().yield();
      log("never");
    });
    scheduler().start();
    assertEquals(List.of("tick@10"), log);
    assertFalse(timer.isActive());
  }

  @Test
  void action_failsAfterItsOwnRestart_timerEnds() {
    var failure = new IllegalStateException("on purpose");
    every10(() -> {
      timer.restart();
      throw failure;
    });
    scheduler().start();
    assertEquals(List.of(failure), takeFailures());
    assertFalse(timer.isActive());
  }

  @Test
  void close_actionUnderWay_noTickAfterIt() {
    every10(() -> {
      try {
        sleep(100);
      } catch (Throwable e) {
        log("failed");
      }
    });
    clock.advanceBy(ms(15));
    scheduler().close();
    assertEquals(List.of("failed@15"), log);
    assertFalse(timer.isActive());
    assertThrows(IllegalStateException.class, timer::restart);
    assertFalse(timer.isActive());
    closedByTheTest = true;
  }

  @Test
  void manyDelays_allCancelled_schedulerEndsAtOnce() {
    var timers = new java.util.ArrayList<Timer>();
    run(() -> {
      for (int i = 0; i < 1_000; i++) {
        timers.add(time().delay(ms(i + 1), () -> log("never")));
      }
      timers.forEach(Timer::cancel);
      assertEquals(0, time().waiterCount());
    });
    assertEquals(Duration.ZERO, clock.elapsed());
  }
}
