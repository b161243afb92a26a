package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// [dev.rondo.scheduler.addon.AddOnHost#passNanos()]: the clock as of the last pass of the loop.
class PassTimeTest extends SchedulerTest {

  private static final Duration WHILE = Duration.ofSeconds(1);

  @Test
  void passNanos_withinATurn_standsStill() {
    scheduler.spawn(
        "main",
        () -> {
          long before = scheduler.host().passNanos();
          time.advance(WHILE);
          assertEquals(before, scheduler.host().passNanos());
          assertEquals(before + WHILE.toNanos(), scheduler.host().nowNanos());
        });
    scheduler.start();
  }

  @Test
  void passNanos_afterALongTurn_isTheTime() {
    scheduler.spawn(
        "main",
        () -> {
          long before = scheduler.host().passNanos();
          time.advance(WHILE);
          while (scheduler.host().passNanos() == before) {
            scheduler.yield();
          }
          assertEquals(scheduler.host().nowNanos(), scheduler.host().passNanos());
        });
    scheduler.start();
  }

  @Test
  void passNanos_afterASleep_isTheTime() {
    scheduler.spawn(
        "main",
        () -> {
          long before = scheduler.host().passNanos();
          assertThrows(TimedOutException.class, () -> scheduler.within(WHILE, scheduler::suspend));
          assertEquals(before + WHILE.toNanos(), scheduler.host().passNanos());
        });
    scheduler.start();
  }
}
