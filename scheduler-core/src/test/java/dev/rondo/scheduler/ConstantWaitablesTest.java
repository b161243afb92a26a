package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// `always`, `never`, and failures in choices and guards.
class ConstantWaitablesTest extends SchedulerTest {

  @Test
  void always_awaitedAnyNumberOfTimes_isThere() {
    runTask(() -> {
      for (int i = 0; i < 3; i++) {
        trace(scheduler.await(Waitable.always(i)));
      }
      trace(scheduler.await(Waitable.always(null)));
      trace(scheduler.await(Waitable.always(1).map(v -> v + 1)));
    });
    assertTrace("0 1 2 null 2");
  }

  @Test
  void always_scheduledOn_isReceived() {
    Task<Void> task = scheduler.newTask("t", () -> trace(scheduler.received()));
    assertTrue(scheduler.queue().scheduleOn(task, Waitable.always("v").map(v -> v + "!")));
    scheduler.start();
    assertTrace("v!");
  }

  @Test
  void never_inAChoice_isNeutral() {
    runTask(() -> {
      trace(scheduler.select(Waitable.never(), Waitable.always("v")));
      assertThrows(
          TimedOutException.class, () -> scheduler.await(Waitable.never(), Duration.ofSeconds(1)));
    });
    assertTrace("Selection[index=1, value=v]");
  }

  @Test
  void anyOf_empty_isRefused() {
    var told = assertThrows(IllegalArgumentException.class, () -> Waitable.anyOf(List.of()));
    assertTrue(told.getMessage().contains("never()"), told.getMessage());
    runTask(() -> assertThrows(IllegalArgumentException.class, () -> scheduler.select()));
  }

  @Test
  void guard_makerThrowsOrAnswersNull_comesOutOfTheAwait() {
    runTask(() -> {
      assertThrows(
          IllegalStateException.class,
          () ->
              scheduler.await(
                  Waitable.guard(() -> {
                    throw new IllegalStateException("maker");
                  })));
      assertThrows(NullPointerException.class, () -> scheduler.await(Waitable.guard(() -> null)));
      scheduler.yield();
      trace("goes on");
    });
    assertTrace("goes on");
  }
}
