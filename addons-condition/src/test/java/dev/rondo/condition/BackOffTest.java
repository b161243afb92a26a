package dev.rondo.condition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.IdleStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How often the loop wakes up to evaluate predicates when nothing happens.
final class BackOffTest extends OnEveryBackend {

  /// The length of each sleep of the loop, in microseconds.
  private final List<Long> sleeps = new ArrayList<>();

  private void countSleeps() {
    scheduler
        .host()
        .idleStrategy(
            new IdleStrategy() {
              @Override
              public void idleUntil(long deadlineNanos) {
                sleeps.add((deadlineNanos - clock.read()) / 1_000);
                clock.idleUntil(deadlineNanos);
              }

              @Override
              public void idle() {
                throw new AssertionError("there is always a deadline");
              }

              @Override
              public void wakeup() {
                clock.wakeup();
              }
            });
  }

  @Test
  void waitFor_nothingHappens_pausesDoubleUpToTenMillis() {
    countSleeps();
    run(() -> conditions.waitFor(() -> clock.elapsed().compareTo(ms(52)) >= 0));
    assertEquals(
        List.of(
            50L, 100L, 200L, 400L, 800L, 1_600L, 3_200L, 6_400L, 10_000L, 10_000L, 10_000L,
            10_000L),
        sleeps);
  }

  @Test
  void waitFor_anHour_hundredLooksPerSecond() {
    countSleeps();
    scheduler.spawn(() -> time.sleep(Duration.ofHours(1)));
    run(() -> conditions.waitFor(() -> clock.elapsed().compareTo(Duration.ofHours(1)) >= 0));
    assertEquals(Duration.ofHours(1), clock.elapsed());
    assertTrue(sleeps.size() <= 360_010, () -> "slept " + sleeps.size() + " times");
  }

  @Test
  void waitFor_anotherTaskRan_pausesStartOver() {
    countSleeps();
    boolean[] done = new boolean[1];
    scheduler.spawn(() -> conditions.waitFor(() -> done[0]));
    run(() -> {
      time.sleep(Duration.ofNanos(50_000 + 100_000 + 200_000 + 40_000));
      time.sleep(ms(1));
      done[0] = true;
    });
    assertEquals(List.of(50L, 100L, 200L, 40L, 50L, 100L, 200L, 400L, 250L), sleeps);
  }

  @Test
  void start_onlyHandlersLeft_neverSleeps() {
    countSleeps();
    HandlerRegistration registration = conditions.whenever(() -> false, () -> {});
    scheduler.start();
    assertEquals(List.of(), sleeps);
    registration.cancel();
  }
}
