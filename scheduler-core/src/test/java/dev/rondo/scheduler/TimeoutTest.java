package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Deadlines around code, and limits of single waits: docs/inside/semantics.md, rule 26.
class TimeoutTest extends SchedulerTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  // Deadlines.

  @Test
  void within_tooSlow_throwsTimeoutWhereTheLimitWasSet() {
    runTask(() -> {
      var told =
          assertThrows(
              TimedOutException.class,
              () ->
                  scheduler.within(
                      SECOND,
                      () -> {
                        try {
                          return scheduler.suspend();
                        } finally {
                          trace("finally");
                        }
                      }));
      assertTrue(told.getMessage().contains("1 s"), told.getMessage());
      scheduler.yield();
      trace("goes on");
    });
    assertTrace("finally goes on");
    assertEquals(SECOND, time.elapsed());
  }

  @Test
  void within_fastEnough_returnsAndDisarms() {
    runTask(() -> trace(scheduler.within(SECOND, () -> "value")));
    assertTrace("value");
    assertEquals(0, time.alarms());
    assertEquals(Duration.ZERO, time.elapsed());
  }

  @Test
  void within_nestedShorterInside_innerTimesOut() {
    runTask(() ->
        scheduler.within(
            SECOND.multipliedBy(2),
            () -> {
              assertThrows(
                  TimedOutException.class, () -> scheduler.within(SECOND, scheduler::suspend));
              trace("inner out");
              return null;
            }));
    assertTrace("inner out");
  }

  @Test
  void within_nestedAtTheSameInstant_outerTimesOut() {
    runTask(() -> {
      assertThrows(
          TimedOutException.class,
          () ->
              scheduler.within(
                  SECOND,
                  () -> {
                    try {
                      return scheduler.within(SECOND, scheduler::suspend);
                    } catch (TimedOutException e) {
                      trace("inner");
                      return null;
                    }
                  }));
      scheduler.yield(); // nothing of it is left
    });
    assertTrace("");
  }

  @Test
  void within_nestedLongerInside_outerTimesOut() {
    runTask(() -> {
      assertThrows(
          TimedOutException.class,
          () ->
              scheduler.within(
                  SECOND,
                  () -> {
                    try {
                      return scheduler.within(SECOND.multipliedBy(2), scheduler::suspend);
                    } catch (TimedOutException e) {
                      trace("wrong scope");
                      throw e;
                    }
                  }));
      trace("outer out");
    });
    assertTrace("outer out");
    assertEquals(SECOND, time.elapsed());
  }

  @Test
  void within_zero_timesOutAtTheFirstWait() {
    runTask(() ->
        assertThrows(
            TimedOutException.class, () -> scheduler.within(Duration.ZERO, scheduler::suspend)));
    assertEquals(Duration.ZERO, time.elapsed());
  }

  @Test
  void within_negative_isRefused() {
    runTask(() -> {
      var told =
          assertThrows(
              IllegalArgumentException.class, () -> scheduler.within(SECOND.negated(), () -> 1));
      assertTrue(told.getMessage().contains("-1 s"), told.getMessage());
      assertThrows(
          IllegalArgumentException.class,
          () -> scheduler.await(Waitable.always(1), SECOND.negated()));
    });
  }

  @Test
  void within_huge_meansForEver() {
    runTask(() -> {
      trace(scheduler.within(FOREVER, () -> 1));
      trace(scheduler.await(Waitable.always(2), FOREVER));
      assertThrows(TimedOutException.class, () -> scheduler.await(Waitable.never(), SECOND));
    });
    assertTrace("1 2");
  }

  @Test
  void within_outsideATask_isRefusedAndDisarms() {
    assertThrows(IllegalStateException.class, () -> scheduler.within(SECOND, () -> 1));
    assertEquals(0, time.alarms());
  }

  // One wait with a limit: docs/inside/semantics.md, rule 26.

  @Test
  void awaitTimeout_eventDoesNotCome_throwsAndLeavesNothing() {
    var signal = new WaitQueueEvent();
    runTask(() -> {
      var told = assertThrows(TimedOutException.class, () -> scheduler.await(signal, SECOND));
      assertTrue(told.getMessage().contains("a signal"), told.getMessage());
      assertTrue(CancelTest.shows(told, TimeoutTest.class), "the trace shows the wait");
    });
    assertEquals(0, signal.waiters());
    assertEquals(SECOND, time.elapsed());
  }

  @Test
  void awaitTimeout_eventComesFirst_disarms() {
    var signal = new WaitQueueEvent();
    scheduler.spawn(() -> trace(scheduler.await(signal, SECOND)));
    drive();
    assertEquals(1, time.alarms());
    signal.fireAll("event");
    scheduler.start();
    assertTrace("event");
    assertEquals(Duration.ZERO, time.elapsed());
  }

  @Test
  void awaitTimeout_firesWhenTheEventWasCommitted_eventWins() {
    var permits = new Permits();
    scheduler.spawn(() -> trace(scheduler.await(permits, SECOND)));
    drive();
    permits.release();
    time.advance(SECOND);
    scheduler.start();
    assertTrace("1");
  }

  @Test
  void awaitTimeout_again_eachHasItsOwnLimit() {
    runTask(() -> {
      for (int i = 0; i < 3; i++) {
        assertThrows(TimedOutException.class, () -> scheduler.await(Waitable.never(), SECOND));
      }
    });
    assertEquals(SECOND.multipliedBy(3), time.elapsed());
  }

  @Test
  void awaitTimeout_inScopeThatTimesOutFirst_scopeWins() {
    runTask(() ->
        assertThrows(
            TimedOutException.class,
            () ->
                scheduler.within(
                    SECOND,
                    () -> {
                      assertThrows(
                          TaskCancelled.class,
                          () -> scheduler.await(Waitable.never(), SECOND.multipliedBy(5)));
                      scheduler.yield();
                      return null;
                    })));
    assertEquals(SECOND, time.elapsed());
  }

  @Test
  void await_withoutATimer_saysWhatToInstall() {
    try (Scheduler bare = Scheduler.builder().backend(backend).build()) {
      bare.spawn(() -> {
        var told =
            assertThrows(IllegalStateException.class, () -> bare.await(Waitable.always(1), SECOND));
        assertTrue(told.getMessage().contains("WaitForTime"), told.getMessage());
        assertThrows(IllegalStateException.class, () -> bare.within(SECOND, () -> 1));
        trace("told");
      });
      bare.start();
    }
    assertTrace("told");
  }

  /// The limit ends with its wait: no timer keeps a deadlock from being found.
  @Test
  void await_unscheduledInOrAfterIts_limitEndsToo() {
    var signal = new WaitQueueEvent();
    TaskAction<?> wait = () -> trace(scheduler.await(signal, Duration.ofHours(1)));
    Task<Void> waiting = scheduler.spawn("waiting", wait);
    Task<Void> given = scheduler.spawn("given", wait);
    drive();
    assertEquals(2, time.alarms());
    assertTrue(scheduler.queue().unschedule(waiting));
    assertEquals(1, time.alarms());
    assertEquals(1, signal.fireAll("came"));
    assertTrue(scheduler.queue().unschedule(given));
    assertEquals(0, time.alarms());
    assertThrows(DeadlockException.class, scheduler::start);
    scheduler.scheduleTask(waiting, "direct");
    scheduler.scheduleTask(given);
    scheduler.start();
    assertTrace("direct came");
  }

  /// The next wait of the same task has its own limit.
  @Test
  void await_unscheduledAndScheduledAgain_theNextLimitHolds() {
    var second = Duration.ofSeconds(1);
    Task<Void> task =
        scheduler.spawn(() -> {
          trace(scheduler.await(Waitable.never(), second));
          assertThrows(TimedOutException.class, () -> scheduler.await(Waitable.never(), second));
          trace("timed-out");
        });
    drive();
    assertTrue(scheduler.queue().unschedule(task));
    assertTrue(scheduler.scheduleTask(task, "direct"));
    scheduler.start();
    assertTrace("direct timed-out");
  }
}
