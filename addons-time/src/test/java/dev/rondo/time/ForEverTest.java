package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.Waitable;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A wait for ever has no end that the clock could jump to. A program that waits for nothing else
/// is reported as deadlocked.
final class ForEverTest extends OnEveryBackend {

  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  /// Runs a task, which gets stuck, and cancels it.
  ///
  /// @return the text of the report
  private String stuck(TaskAction<?> code) {
    Task<Void> task = scheduler().spawn("main", code);
    String report = stuck();
    assertTrue(task.cancel("seen"));
    clock.advanceBy(Duration.ZERO);
    return report;
  }

  private String stuck() {
    return assertThrows(DeadlockException.class, scheduler()::start).getMessage();
  }

  @Test
  void sleep_forEver_isStuck() {
    String report = stuck(() -> time().sleep(FOR_EVER));
    assertTrue(report.contains("an instant that never comes"), report);
    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void sleep_forEverBesideAnother_isStuckWhenThatHasEnded() {
    scheduler().spawn("other", () -> sleep(5));
    stuck(() -> time().sleep(FOR_EVER));
    assertEquals(ms(5), clock.elapsed());
  }

  @Test
  void sleep_nearlyForEver_ends() {
    run(() -> time().sleep(Duration.ofDays(365 * 140)));
    assertEquals(Duration.ofDays(365 * 140), clock.elapsed());
  }

  @Test
  void limits_forEver_areNone() {
    stuck(() -> scheduler().await(Waitable.never(), FOR_EVER));
    stuck(() -> {
      time().timeout(FOR_EVER);
      assertEquals(Optional.empty(), time().timeoutOf(scheduler().currentTask()));
      scheduler().suspend();
    });
    stuck(() ->
        scheduler()
            .within(
                FOR_EVER,
                () -> {
                  assertEquals(Optional.empty(), time().currentDeadline());
                  scheduler().suspend();
                }));
    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void within_forEverInsideAnother_hasTheDeadlineOfThat() {
    run(() -> {
      Deadline end = time().now().plus(ms(5));
      scheduler()
          .within(
              ms(5),
              () ->
                  scheduler()
                      .within(
                          FOR_EVER,
                          () -> assertEquals(Optional.of(end), time().currentDeadline())));
    });
  }

  @Test
  void events_forEver_neverCome() {
    String report = stuck(() -> scheduler().await(time().after(FOR_EVER)));
    assertTrue(report.contains("an instant that never comes"), report);
    stuck(() -> scheduler().await(time().at(time().now().plus(FOR_EVER))));
    stuck(() -> Select.biased().on(Waitable.never(), _ -> {}).after(FOR_EVER, () -> {}).run());
    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void at_forEverFromAnEarlierInstant_neverComes() {
    stuck(() -> {
      Deadline end = time().now().plus(FOR_EVER);
      sleep(1_000);
      scheduler().await(time().at(end));
    });
    assertEquals(ms(1_000), clock.elapsed());
  }

  @Test
  void timers_forEver_keepTheSchedulerFromEndingAndNothingElse() {
    for (Timer timer :
        new Timer[] {time().delay(FOR_EVER, () -> {}), time().periodic(FOR_EVER, () -> {})}) {
      assertTrue(timer.isActive());
      assertNull(time().alarms().nextDeadlineNanos());
      assertTrue(time().waiterCount() > 0);
      String report = stuck();
      assertTrue(report.contains("active timers"), report);
      assertTrue(timer.cancel());
      assertFalse(timer.cancel());
      assertEquals(Duration.ZERO, clock.elapsed());
    }
  }

  @Test
  void reschedule_fromForEver_fires() {
    Timer timer = time().delay(FOR_EVER, () -> log("fired"));
    timer.reschedule(ms(5));
    scheduler().start();
    assertEquals("fired@5", log.getFirst());
  }
}
