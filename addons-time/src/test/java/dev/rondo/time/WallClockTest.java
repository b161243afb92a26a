package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class WallClockTest extends OnEveryBackend {

  private static final Instant START = Instant.parse("2026-03-29T00:00:00Z");

  /// The difference between the wall clock and the ticker.
  private Duration set = Duration.ZERO;

  private final InstantSource source = () -> START.plus(clock.elapsed()).plus(set);

  private WallClock wall() {
    return new WallClock(scheduler(), source, Duration.ofSeconds(10));
  }

  private void sleepSeconds(long seconds) {
    time().sleep(Duration.ofSeconds(seconds));
  }

  private void logSeconds(String word) {
    log.add(word + "@" + clock.elapsed().toSeconds());
  }

  @Test
  void alarm_clockNotSet_exact() {
    WallClock wall = wall();
    wall.alarm(START.plusMillis(25_001), () -> log("alarm"));
    scheduler().start();
    assertEquals(List.of("alarm@25001"), log);
    assertEquals(START.plusMillis(25_001), wall.now());
  }

  @Test
  void alarm_setForwards_seenWithinTheInterval() {
    wall().alarm(START.plusSeconds(3_600), () -> logSeconds("alarm"));
    run(() -> {
      sleepSeconds(15);
      set = Duration.ofHours(2);
      sleepSeconds(60);
    });
    assertEquals(List.of("alarm@20"), log);
  }

  @Test
  void alarm_setBackwards_notEarly() {
    wall().alarm(START.plusSeconds(60), () -> logSeconds("alarm"));
    run(() -> {
      sleepSeconds(55);
      set = Duration.ofSeconds(-100);
    });
    assertEquals(List.of("alarm@160"), log);
  }

  @Test
  void alarm_setForwardsAndBackUnseen_asIfNotSet() {
    wall().alarm(START.plusSeconds(60), () -> logSeconds("alarm"));
    run(() -> {
      sleepSeconds(12);
      set = Duration.ofHours(2);
      sleepSeconds(6);
      set = Duration.ZERO;
    });
    assertEquals(List.of("alarm@60"), log);
  }

  @Test
  void at_anotherWaitBegins_jumpIsSeenByAll() {
    WallClock wall = wall();
    wall.alarm(START.plusSeconds(3_600), () -> logSeconds("alarm"));
    run(() -> {
      sleepSeconds(15);
      set = Duration.ofHours(2);
      assertEquals(0, scheduler().select(time().after(ms(1)), wall.at(Instant.MAX)).index());
      assertEquals(0, wall.waiterCount());
    });
    assertEquals(List.of("alarm@15"), log);
  }

  @Test
  void at_severalWaits_instantOrderThenArmingOrder() {
    WallClock wall = wall();
    for (int seconds : new int[] {3, 1, 2, 1}) {
      scheduler().spawn(() -> log.add(scheduler().await(wall.at(START.plusSeconds(seconds)))));
    }
    scheduler().start();
    assertEquals(
        List.of(
            START.plusSeconds(1), START.plusSeconds(1), START.plusSeconds(2), START.plusSeconds(3)),
        log);
  }

  @Test
  void at_passed_thereAtOnce() {
    WallClock wall = wall();
    run(() -> assertEquals(START, scheduler().await(wall.at(Instant.MIN))));
    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void at_loserOfASelect_nothingStaysArmed() {
    WallClock wall = wall();
    run(() -> {
      assertEquals(1, scheduler().select(wall.at(Instant.MAX), time().after(ms(5))).index());
      assertEquals(0, wall.waiterCount());
      assertEquals(0, time().waiterCount());
    });
    assertEquals(ms(5), clock.elapsed());
  }

  @Test
  void at_clockFailsDuringWaits_thoseWaitsFailAndTimersGoOn() {
    var failure = new IllegalStateException("no clock");
    var wall =
        new WallClock(
            scheduler(),
            () -> {
              if (clock.elapsed().toSeconds() >= 10) {
                throw failure;
              }
              return START;
            },
            Duration.ofSeconds(10));
    for (int i = 0; i < 2; i++) {
      scheduler()
          .spawn(() -> {
            assertSame(
                failure,
                assertThrows(
                    IllegalStateException.class,
                    () -> scheduler().await(wall.at(START.plusSeconds(60)))));
            logSeconds("failed");
          });
    }
    run(() -> {
      sleepSeconds(20);
      logSeconds("slept");
    });
    assertEquals(List.of("failed@10", "failed@10", "slept@20"), log);
    assertEquals(0, wall.waiterCount());
  }

  @Test
  void at_clockFailsWhenTheWaitBegins_nothingStaysArmed() {
    int[] readings = {0};
    var wall =
        new WallClock(
            scheduler(),
            () -> {
              if (++readings[0] == 2) { // the first one is the poll
                throw new IllegalStateException("no clock");
              }
              return START;
            },
            Duration.ofSeconds(10));
    run(() -> {
      assertThrows(
          IllegalStateException.class, () -> scheduler().await(wall.at(START.plusSeconds(60))));
      assertEquals(0, wall.waiterCount());
    });
  }

  @Test
  void at_clockAnswersNull_saysSo() {
    var wall = new WallClock(scheduler(), () -> null, Duration.ofSeconds(10));
    run(() ->
        assertEquals(
            "the wall clock returned null",
            assertThrows(NullPointerException.class, () -> scheduler().await(wall.at(START)))
                .getMessage()));
  }

  /// The clocks of Berlin go from 03:00 back to 02:00 an hour and a half after this.
  @Test
  void recurring_summerTimeEndsAndActionTakesAWhile_oncePerDay() {
    set = Duration.between(START, Instant.parse("2026-10-24T23:30:00Z"));
    Task<Void> task =
        wall()
            .recurring(
                Recurrence.cron("30 2 * * *", ZoneId.of("Europe/Berlin")),
                () -> {
                  logSeconds("run");
                  sleepSeconds(5);
                });
    run(() -> {
      sleepSeconds(Duration.ofHours(30).toSeconds());
      task.cancel("enough");
    });
    assertEquals(List.of("run@3600", "run@" + Duration.ofHours(26).toSeconds()), log);
  }

  @Test
  void alarm_cancelled_neverRuns() {
    Task<Void> alarm = wall().alarm(START.plusSeconds(60), () -> log("never"));
    run(() -> {
      sleepSeconds(5);
      alarm.cancel("test");
    });
    assertEquals(Duration.ofSeconds(5), clock.elapsed());
    assertEquals(0, time().waiterCount());
  }

  @Test
  void constructor_badInterval_refused() {
    assertThrows(
        IllegalArgumentException.class, () -> new WallClock(scheduler(), source, Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> new WallClock(scheduler(), source, ms(-1)));
    assertThrows(NullPointerException.class, () -> new WallClock(scheduler(), null, ms(1)));
  }

  @Test
  void create_withAVirtualClock_showsItsDate() {
    WallClock wall = new WallClock(scheduler());
    assertEquals(Instant.parse("2026-01-01T00:00:00Z"), wall.now());
    clock.startAt(START);
    assertEquals(START, wall.now());
    wall.alarm(START.plus(Duration.ofDays(3)), () -> log("alarm"));
    scheduler().start();
    assertEquals(List.of("alarm@" + Duration.ofDays(3).toMillis()), log);
    assertEquals(START.plus(Duration.ofDays(3)), clock.instant());
  }

  @Test
  void create_withTheSystemsTicker_showsTheSystemsDate() {
    try (Scheduler real = Scheduler.create()) {
      Instant before = Instant.now();
      Instant shown = new WallClock(real).now();
      assertFalse(shown.isBefore(before));
      assertFalse(shown.isAfter(Instant.now()));
    }
  }

  // Recurring.

  private static Recurrence hourly() {
    return Recurrence.cron("0 * * * *", ZoneOffset.UTC);
  }

  @Test
  void recurring_cron_eachInstant() {
    Task<Void> task = wall().recurring(hourly(), () -> logSeconds("tick"));
    run(() -> {
      sleepSeconds(3 * 3_600 + 60);
      task.cancel("test");
    });
    assertEquals(List.of("tick@3600", "tick@7200", "tick@10800"), log);
  }

  @Test
  void recurring_setForwardsOverSeveral_once() {
    Task<Void> task = wall().recurring(hourly(), () -> logSeconds("tick"));
    run(() -> {
      sleepSeconds(15);
      set = Duration.ofHours(5);
      sleepSeconds(3_600);
      task.cancel("test");
    });
    assertEquals(List.of("tick@20", "tick@3600"), log);
  }

  @Test
  void recurring_setBackwards_noneTwice() {
    Task<Void> task = wall().recurring(hourly(), () -> logSeconds("tick"));
    run(() -> {
      sleepSeconds(3_630);
      set = Duration.ofMinutes(-1); // 0:59:30 again
      sleepSeconds(3_660);
      task.cancel("test");
    });
    assertEquals(List.of("tick@3600", "tick@7260"), log);
  }

  @Test
  void recurring_setBackwardsByTheAction_noneTwice() {
    Task<Void> task =
        wall()
            .recurring(
                hourly(),
                () -> {
                  logSeconds("tick");
                  set = Duration.ofMinutes(-1);
                });
    run(() -> {
      sleepSeconds(7_300);
      task.cancel("test");
    });
    assertEquals(List.of("tick@3600", "tick@7260"), log);
  }

  @Test
  void recurring_longAction_skipped() {
    Task<Void> task =
        wall()
            .recurring(
                hourly(),
                () -> {
                  logSeconds("tick");
                  sleepSeconds(9_000);
                });
    run(() -> {
      sleepSeconds(5 * 3_600);
      task.cancel("test");
    });
    assertEquals(List.of("tick@3600", "tick@14400"), log);
  }

  @Test
  void recurring_noMoreInstants_taskEnds() {
    Instant once = START.plusSeconds(5);
    Recurrence recurrence = after -> after.isBefore(once) ? Optional.of(once) : Optional.empty();
    wall().recurring(recurrence, () -> logSeconds("tick"));
    scheduler().start();
    assertEquals(List.of("tick@5"), log);
  }

  @Test
  void recurring_actionFails_ends() {
    var failure = new IllegalStateException("on purpose");
    wall()
        .recurring(
            hourly(),
            () -> {
              throw failure;
            });
    scheduler().start();
    assertEquals(List.of(failure), takeFailures());
  }
}
