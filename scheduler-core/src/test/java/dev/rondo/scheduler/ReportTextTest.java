package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/// Durations and names in messages and dumps.
class ReportTextTest extends SchedulerTest {

  /// Clears a screen, and begins a line of its own.
  private static final String HOSTILE = "bad\u001b[2J\r\n#9 'good' READY\u009b1m\u202e";

  private static final String ESCAPED = "bad\\u001b[2J\\r\\n#9 'good' READY\\u009b1m\\u202e";

  private static String text(long seconds, long nanos) {
    return ReportText.duration(Duration.ofSeconds(seconds, nanos));
  }

  @Test
  void duration_belowAMinute_isOneNumberAndOneUnit() {
    assertEquals("0 s", text(0, 0));
    assertEquals("250 ns", text(0, 250));
    assertEquals("219.939 us", ReportText.nanos(219_939));
    assertEquals("3.1 ms", text(0, 3_100_000));
    assertEquals("1.5 s", text(1, 500_000_000));
    assertEquals("59.999 s", text(59, 999_000_000));
  }

  @Test
  void duration_fromAMinuteOn_isInWholeUnits() {
    assertEquals("1 min", text(60, 0));
    assertEquals("2 min 30 s", text(150, 900_000_000));
    assertEquals("1 h 5 s", text(3_605, 0));
    assertEquals("365 d", ReportText.duration(Duration.ofDays(365)));
    assertEquals("1 d 2 h 3 min 4 s", text(((24 + 2) * 60 + 3) * 60 + 4, 0));
  }

  @Test
  void duration_negative_hasItsSignInFront() {
    assertEquals("-219.939 us", ReportText.nanos(-219_939));
    assertEquals("-1 s", text(-1, 0));
    String longest = ReportText.duration(Duration.ofSeconds(Long.MAX_VALUE));
    assertEquals("-" + longest, ReportText.duration(Duration.ofSeconds(Long.MIN_VALUE)));
  }

  @Test
  void duration_otherLocale_isTheSame() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      assertEquals("1.5 s", text(1, 500_000_000));
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void escaped_anyText_hasNothingThatATerminalObeys() {
    assertEquals(ESCAPED, ReportText.escaped(HOSTILE));
    assertEquals("tab\\there\\\\", ReportText.escaped("tab\there\\"));
    for (String harmless : List.of("", "C:\\dir", "größe 日本 \uD83D\uDE00")) {
      assertEquals(harmless, ReportText.escaped(harmless));
    }
  }

  @Test
  void deadlock_hostileNames_areEscaped() {
    Task<?>[] tasks = new Task<?>[2];
    tasks[0] = scheduler.newTask(HOSTILE, () -> tasks[1].join());
    tasks[1] = scheduler.newTask("other", () -> tasks[0].join());
    scheduler.scheduleTask(tasks[0]);
    scheduler.scheduleTask(tasks[1]);
    var thrown = assertThrows(DeadlockException.class, () -> scheduler.start());
    assertTrue(thrown.getMessage().contains(ESCAPED), thrown::getMessage);
    assertFalse(thrown.getMessage().contains("\u001b"), thrown::getMessage);
    tasks[0].cancel("end");
    tasks[1].cancel("end");
    drive();
  }
}
