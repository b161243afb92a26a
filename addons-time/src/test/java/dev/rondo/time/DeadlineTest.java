package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class DeadlineTest extends OnEveryBackend {

  @Test
  void plus_periodOverAWrap_keepsThePhase() {
    run(() -> {
      Deadline next = time().now();
      for (int i = 0; i < 3; i++) {
        next = next.plus(ms(600)); // the clock wraps after one second
        time().sleep(ms(100));
        time().yieldUntilTime(next);
        log("tick");
      }
    });
    assertEquals(List.of("tick@600", "tick@1200", "tick@1800"), log);
  }

  @Test
  void minus_now_isWhatIsLeft() {
    Deadline begin = time().now();
    Deadline deadline = begin.plus(ms(1_500));
    assertEquals(ms(1_500), deadline.minus(begin));
    clock.skip(ms(2_000));
    assertEquals(ms(-500), deadline.minus(time().now()));
    assertEquals(ms(2_000), time().now().minus(begin));
  }

  private @Nullable Duration currentLimit() {
    return time().currentDeadline().map(deadline -> deadline.minus(time().now())).orElse(null);
  }

  @Test
  void currentDeadline_blocksWithinBlocks_isTheEarliest() {
    run(() -> {
      assertNull(currentLimit());
      scheduler()
          .within(
              ms(100),
              () -> {
                scheduler().within(ms(500), () -> assertEquals(ms(100), currentLimit()));
                scheduler().within(ms(50), () -> assertEquals(ms(50), currentLimit()));
                sleep(30);
                scheduler().newScope("no limit").run(() -> assertEquals(ms(70), currentLimit()));
              });
      assertNull(currentLimit());
    });
  }

  @Test
  void currentDeadline_timeoutOfTheTask_counts() {
    run(() -> {
      time().timeout(ms(100));
      assertEquals(ms(100), currentLimit());
      scheduler().within(ms(900), () -> assertEquals(ms(100), currentLimit()));
      scheduler().within(ms(90), () -> assertEquals(ms(90), currentLimit()));
      time().timeout(Duration.ZERO);
      assertNull(currentLimit());
    });
  }

  @Test
  void currentDeadline_inAShield_onlyBlocksWithinIt() {
    run(() ->
        scheduler()
            .within(
                ms(100),
                () ->
                    scheduler()
                        .shielded(() -> {
                          assertNull(currentLimit());
                          scheduler().within(ms(200), () -> assertEquals(ms(200), currentLimit()));
                        })));
  }

  @Test
  void currentDeadline_limitThatHasPassed_isNegative() {
    run(() ->
        scheduler()
            .within(
                ms(10),
                () -> {
                  clock.skip(ms(30));
                  assertEquals(ms(-20), currentLimit());
                }));
  }

  @Test
  void currentDeadline_outsideOfTasks_isEmpty() {
    assertNull(currentLimit());
  }

  @Test
  void plus_zeroHugeOrNegative_sameForEverOrRefused() {
    Deadline now = time().now();
    assertEquals(now, now.plus(Duration.ZERO));
    assertEquals(
        Duration.ofNanos(Long.MAX_VALUE / 2), now.plus(Duration.ofDays(99_999_999)).minus(now));
    var e = assertThrows(IllegalArgumentException.class, () -> now.plus(ms(-1)));
    assertEquals("duration must not be negative, but is -1 ms", e.getMessage());
  }
}
