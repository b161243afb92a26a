package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.Waitable;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// The outcome that a [Timer] gives to its handler, and [Timer#join].
final class TimerJoinTest extends TimerFixture {

  // The handler.

  @Test
  void periodic_handlerReceivesTheTimer_cancelsItself() {
    timer =
        time()
            .periodic(
                ms(10),
                self -> {
                  log("tick " + self.fired());
                  if (self.fired() == 3) {
                    assertTrue(self.cancel());
                  }
                });
    scheduler().start();
    assertEquals(List.of("tick 1@10", "tick 2@20", "tick 3@30"), log);
    assertFalse(timer.isActive());
  }

  @Test
  void periodic_withDelayAndPolicy_endedByTheirActions() {
    var timers = new Timer[2];
    timers[0] =
        time()
            .periodic(
                ms(5),
                ms(10),
                TickPolicy.SKIP,
                () -> {
                  log("a" + timers[0].fired());
                  var _ = timers[0].fired() == 2 && timers[0].cancel();
                });
    timers[1] =
        time()
            .periodic(
                ms(6),
                ms(10),
                TickPolicy.FIXED_DELAY,
                () -> {
                  sleep(1);
                  log("b" + timers[1].fired());
                  var _ = timers[1].fired() == 2 && timers[1].cancel();
                });
    scheduler().start();
    assertEquals(List.of("a1@5", "b1@7", "a2@15", "b2@18"), log);
  }

  @Test
  void delay_itsAction_restartsIt() {
    timer =
        time()
            .delay(
                ms(10),
                () -> {
                  log("run " + timer.fired());
                  if (timer.fired() < 3) {
                    timer.reschedule(ms(1));
                  }
                });
    scheduler().start();
    assertEquals(List.of("run 1@10", "run 2@11", "run 3@12"), log);
  }

  @Test
  void periodic_noHandler_saysSo() {
    for (TickHandler none : new TickHandler[] {null}) {
      assertEquals("handler is null", message(() -> time().periodic(ms(1), none)));
    }
  }

  private static String message(org.junit.jupiter.api.function.Executable code) {
    return assertThrows(NullPointerException.class, code).getMessage();
  }

  // Join.

  @Test
  void join_delay_waitsForTheEndOfItsAction() {
    run(() -> {
      Timer delay =
          time()
              .delay(
                  ms(10),
                  () -> {
                    sleep(5);
                    log("action");
                  });
      delay.join();
      log("joined");
      delay.join();
      log("again");
    });
    assertEquals(List.of("action@15", "joined@15", "again@15"), log);
  }

  @Test
  void join_severalAndSelect_allReceiveTheEnd() {
    timer = time().delay(ms(10), () -> log("action"));
    scheduler()
        .spawn(() -> {
          timer.join();
          log("a");
        });
    scheduler().spawn(() -> log("b" + scheduler().select(Waitable.never(), timer).index()));
    scheduler().start();
    assertEquals(List.of("action@10", "a@10", "b1@10"), log);
  }

  @Test
  void join_actionFails_failsAndIsNotReported() {
    var failure = new IllegalStateException("on purpose");
    run(() -> {
      Timer delay =
          time()
              .delay(
                  ms(10),
                  () -> {
                    throw failure;
                  });
      var told = assertThrows(TaskFailedException.class, delay::join);
      assertSame(failure, told.getCause());
      var later = assertThrows(TaskFailedException.class, delay::join);
      assertSame(failure, later.getCause());
    });
    assertEquals(List.of(), takeFailures());
  }

  @Test
  void join_cancelledBeforeItsAction_failsAsCancelled() {
    timer = time().delay(ms(10), () -> log("never"));
    scheduler()
        .spawn(() -> {
          var told = assertThrows(CancellationException.class, timer::join);
          log(told.getMessage());
        });
    scheduler().spawn(() -> timer.cancel());
    scheduler().start();
    assertEquals(List.of("the timer 'delay 10 ms' was cancelled before its action began@0"), log);
  }

  @Test
  void join_actionCancelled_failsAsCancelled() {
    run(() -> {
      Timer delay =
          time()
              .delay(
                  ms(10),
                  () -> {
                    scheduler().currentTask().cancel("why");
                    scheduler().yield();
                  });
      assertThrows(CancellationException.class, delay::join);
    });
  }

  @Test
  void join_periodic_waitsUntilItIsCancelled() {
    every10(() -> log("tick"));
    scheduler()
        .spawn(() -> {
          timer.join();
          log("joined");
        });
    time().delay(ms(25), () -> timer.cancel());
    scheduler().start();
    assertEquals(List.of("tick@10", "tick@20", "joined@25"), log);
  }

  @Test
  void join_restartedMeanwhile_waitsForTheNewEnd() {
    timer = time().delay(ms(10), () -> log("action"));
    scheduler()
        .spawn(() -> {
          timer.join();
          log("joined");
        });
    time().delay(ms(5), () -> timer.restart());
    scheduler().start();
    assertEquals(List.of("action@15", "joined@15"), log);
  }

  @Test
  void join_firedThenRestartedAndCancelled_failsAsCancelled() {
    run(() -> {
      Timer delay = time().delay(ms(10), () -> {});
      delay.join();
      delay.restart();
      assertTrue(delay.cancel());
      assertThrows(CancellationException.class, delay::join);
    });
  }

  @Test
  void join_byItsOwnAction_refused() {
    timer =
        time()
            .delay(
                ms(10),
                () -> log(assertThrows(IllegalStateException.class, timer::join).getMessage()));
    scheduler().start();
    assertEquals(
        List.of("timer (delay 10 ms, not active) awaits its own end: its action is the caller@10"),
        log);
  }

  @Test
  void join_limited_leavesNothing() {
    run(() -> {
      Timer delay = time().delay(ms(10), () -> log("action"));
      assertThrows(
          dev.rondo.scheduler.TimedOutException.class, () -> scheduler().await(delay, ms(5)));
      assertEquals(0, delay.waiterCount());
    });
    assertEquals(List.of("action@10"), log);
  }
}
