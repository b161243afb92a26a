package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// [Select]: which branch wins, and that the others lose nothing. `SelectAgainTest` and
/// `SelectRestTest` run one select repeatedly, `SelectReadyTest` takes all events that are there.
class SelectTest extends SchedulerTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Permits a = new Permits();
  private final Permits b = new Permits();

  private Select both(Select select) {
    return select.on(a, n -> trace("a" + n)).on(b, n -> trace("b" + n));
  }

  private void noTaskWaits() {
    assertEquals(0, a.waiters());
    assertEquals(0, b.waiters());
    assertEquals(0, time.alarms());
  }

  @Test
  void run_biasedAndBothThere_prefersTheFirstAndKeepsTheOther() {
    a.release();
    b.release();
    Select select = both(Select.biased());
    runTask(() -> {
      select.run();
      select.run();
    });
    assertTrace("a1 b1");
    noTaskWaits();
  }

  @Test
  void run_oneComesLater_runsItsHandlerInTheWaitingTask() {
    Task<?> waiting =
        scheduler.spawn(() ->
            Select.biased()
                .on(a, n -> trace("a"))
                .on(
                    b,
                    n -> {
                      scheduler.yield();
                      trace("b of " + scheduler.currentTask().name());
                    })
                .run());
    drive();
    assertEquals(1, a.waiters());
    assertEquals(1, b.waiters());
    b.release();
    scheduler.start();
    assertTrace("b of " + waiting.name());
    noTaskWaits();
  }

  @Test
  void run_fairAndBothAlwaysThere_takesBothAndTheSameSeedTheSame() {
    var traces = new String[2];
    for (int run = 0; run < 2; run++) {
      var words = new StringBuilder();
      Select select =
          Select.fair(new Random(7)).on(a, n -> words.append('a')).on(b, n -> words.append('b'));
      runTask(() -> {
        for (int i = 0; i < 64; i++) {
          while (a.available() == 0) {
            a.release();
          }
          while (b.available() == 0) {
            b.release();
          }
          select.run();
        }
      });
      traces[run] = words.toString();
    }
    assertEquals(traces[0], traces[1]);
    long ofA = traces[0].chars().filter(c -> c == 'a').count();
    assertTrue(ofA > 16 && ofA < 48, traces[0]);
  }

  @Test
  void run_afterAndNothingComes_runsTheTimeoutAndLeavesNothing() {
    Select select = both(Select.biased()).after(SECOND, () -> trace("late"));
    runTask(() -> {
      select.run();
      assertEquals(SECOND, time.elapsed());
      select.run(); // the time starts again
      assertEquals(SECOND.multipliedBy(2), time.elapsed());
      noTaskWaits();
      a.release();
      select.run();
      noTaskWaits();
    });
    assertTrace("late late a1");
    assertEquals(SECOND.multipliedBy(2), time.elapsed());
  }

  @Test
  void run_afterZeroAndOneIsThere_theEventIsPreferred() {
    b.release();
    Select select = both(Select.fair(new Random(1))).after(Duration.ZERO, () -> trace("late"));
    runTask(() -> {
      select.run();
      select.run();
    });
    assertTrace("b1 late");
  }

  @Test
  void run_otherwise_neverGivesWayEvenIfTheBudgetIsSpent() {
    Task<?> ended = scheduler.spawn(() -> {});
    scheduler.start();
    scheduler.spawn(() -> {
      for (int i = 0; i < 1_000; i++) {
        a.release();
        boolean[] took = new boolean[1];
        Select.biased().on(a, n -> took[0] = true).otherwise(() -> {}).run();
        assertTrue(took[0]);
      }
      Select.biased().on(ended, v -> trace("joined")).otherwise(() -> {}).run(); // not eager
      both(Select.biased()).otherwise(() -> trace("nothing")).run();
      trace("end");
    });
    scheduler.spawn(() -> trace("other"));
    scheduler.start();
    assertTrace("joined nothing end other");
    noTaskWaits();
  }

  @Test
  void run_otherwiseWithAChoiceWithinAGuard_takesOnce() {
    b.release();
    b.release();
    runTask(() -> {
      Select select =
          Select.biased()
              .on(
                  Waitable.guard(() -> Waitable.anyOf(java.util.List.of(a, b)).map(n -> n * 10)),
                  n -> trace(n))
              .otherwise(() -> trace("nothing"));
      select.run();
      assertEquals(1, b.available());
      select.run();
      select.run();
    });
    assertTrace("10 20 nothing");
  }

  @Test
  void run_otherwiseAndTheEventFailed_throwsItsFailure() {
    var failure = new IllegalStateException("on purpose");
    Waitable<Object> failing =
        new Waitable<>() {
          @Override
          public boolean poll(Waiter<? super Object> waiter) {
            return waiter.fail(failure);
          }

          @Override
          public void arm(Waiter<? super Object> waiter) {
            throw new AssertionError();
          }

          @Override
          public void disarm(Waiter<? super Object> waiter) {
            throw new AssertionError();
          }
        };
    runTask(() ->
        assertSame(
            failure,
            assertThrows(
                IllegalStateException.class,
                () -> Select.biased().on(failing, v -> {}).otherwise(() -> {}).run())));
  }

  @Test
  void run_handlerThrows_comesOut() {
    a.release();
    runTask(() -> {
      var thrown =
          assertThrows(
              IOException.class,
              () ->
                  Select.biased()
                      .on(
                          a,
                          n -> {
                            throw new IOException("broken");
                          })
                      .run());
      assertEquals("broken", thrown.getMessage());
    });
    noTaskWaits();
  }

  @Test
  void run_cancelled_leavesNothing() {
    Task<?> task = scheduler.spawn(() -> both(Select.biased()).after(SECOND, () -> {}).run());
    drive();
    task.cancel("test");
    noTaskWaits();
    drive();
    assertTrue(task.isCancelled());
  }

  @Test
  void run_scheduledDirectly_runsNoHandler() {
    Task<?> task =
        scheduler.spawn(() -> {
          var ended =
              assertThrows(ScheduledDirectlyException.class, () -> both(Select.biased()).run());
          trace(ended.value());
        });
    drive();
    scheduler.scheduleTask(task, "value");
    noTaskWaits();
    scheduler.start();
    assertTrace("value");
  }

  @Test
  void run_badUse_saysWhatToDo() {
    runTask(() -> {
      var none = assertThrows(IllegalStateException.class, () -> Select.biased().run());
      assertEquals("a select without branches: add one with on(..)", none.getMessage());
    });
    assertThrows(IllegalStateException.class, () -> both(Select.biased()).run());
    assertThrows(
        IllegalStateException.class, () -> both(Select.biased()).otherwise(() -> {}).run());
    Select limited = Select.biased().after(SECOND, () -> {});
    assertThrows(IllegalStateException.class, () -> limited.after(SECOND, () -> {}));
    assertThrows(IllegalStateException.class, () -> limited.otherwise(() -> {}));
    assertThrows(
        IllegalArgumentException.class,
        () -> Select.biased().after(Duration.ofNanos(-1), () -> {}));
    assertThrows(NullPointerException.class, () -> Select.fair(null));
    assertThrows(NullPointerException.class, () -> Select.biased().on(null, v -> {}));
    assertThrows(NullPointerException.class, () -> Select.biased().on(a, null));
  }

  @Test
  void on_afterARun_countsInTheNext() {
    Select select = Select.biased().on(a, n -> trace("a" + n));
    a.release();
    runTask(() -> {
      select.run();
      select.on(b, n -> trace("b" + n));
      b.release();
      select.run();
      select.after(SECOND, () -> trace("late"));
      select.run();
    });
    assertTrace("a1 b1 late");
  }

  @Test
  void run_onlyATimeout_isASleep() {
    runTask(() -> Select.biased().after(SECOND, () -> trace("slept")).run());
    assertTrace("slept");
    assertEquals(SECOND, time.elapsed());
  }
}
