package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Timers of a scheduler that is stopping, which takes new work from its own tasks only.
final class TimerRefusedTest extends TimerFixture {

  private void stopping() {
    var _ = scheduler().shutdown(Duration.ofHours(1), Duration.ofHours(1));
    clock.advanceBy(Duration.ZERO);
  }

  @Test
  void delay_zeroFromOutside_refusedAndNothingLeft() {
    every10(() -> log("tick"));
    stopping();
    assertThrows(
        IllegalStateException.class, () -> time().delay(Duration.ZERO, () -> log("never")));
    timer.cancel();
    scheduler().start();
    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void reschedule_toZeroFromOutside_refusedAndTimerNotActive() {
    every10(() -> log("tick"));
    stopping();
    assertThrows(IllegalStateException.class, () -> timer.reschedule(Duration.ZERO));
    assertFalse(timer.isActive());
    assertFalse(timer.cancel());
    scheduler().start();
    assertEquals(List.of(), log);
  }

  @Test
  void delay_zeroFromATask_runs() {
    scheduler()
        .spawn(() -> {
          sleep(10);
          timer = time().delay(Duration.ZERO, () -> log("ran"));
          assertTrue(timer.isActive());
        });
    stopping();
    scheduler().start();
    assertEquals(List.of("ran@10"), log);
  }
}
