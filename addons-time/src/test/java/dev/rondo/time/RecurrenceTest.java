package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RecurrenceTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static Optional<Instant> after(String cron, String instant) {
    return Recurrence.cron(cron, BERLIN).after(Instant.parse(instant));
  }

  @Test
  void cron_workingHours_nextMondayAfterTheWeekend() {
    // Saturday
    assertEquals(
        Optional.of(Instant.parse("2026-03-30T07:00:00Z")),
        after("*/15 9-17 * * MON-FRI", "2026-03-28T12:00:00Z"));
  }

  @Test
  void cron_exactlyThen_theOneAfter() {
    assertEquals(
        Optional.of(Instant.parse("2026-01-02T04:30:00Z")),
        after("30 5 * * *", "2026-01-01T04:30:00Z"));
  }

  @Test
  void cron_summerTimeBegins_zoneDecides() {
    // The clocks of Berlin go from 02:00 to 03:00 on 29 March 2026.
    assertEquals(
        Optional.of(Instant.parse("2026-03-30T03:30:00Z")),
        after("30 5 * * *", "2026-03-29T03:30:00Z"));
  }

  @Test
  void cron_summerTimeBegins_timeThatIsLeftOutIsNotMadeUpFor() {
    assertEquals(
        Optional.of(Instant.parse("2026-03-30T00:30:00Z")),
        after("30 2 * * *", "2026-03-28T12:00:00Z"));
  }

  /// The clocks of Berlin go from 03:00 back to 02:00 on 25 October 2026, so 02:30 comes twice.
  @Test
  void cron_summerTimeEnds_timeOfDayThatComesTwiceCountsOnce() {
    assertEquals(
        Optional.of(Instant.parse("2026-10-25T00:30:00Z")),
        after("30 2 * * *", "2026-10-25T00:00:00Z"));
    for (String afterIt : List.of("00:30:00", "00:30:01", "00:59:59", "01:00:00", "01:30:00")) {
      assertEquals(
          Optional.of(Instant.parse("2026-10-26T01:30:00Z")),
          after("30 2 * * *", "2026-10-25T" + afterIt + "Z"),
          afterIt);
    }
  }

  @Test
  void cron_summerTimeEnds_intervalGoesOnThroughBothHours() {
    Recurrence halfHours = Recurrence.cron("*/30 * * * *", BERLIN);
    Instant instant = Instant.parse("2026-10-24T23:30:00Z");
    for (int i = 0; i < 8; i++) {
      assertEquals(Optional.of(instant.plusSeconds(1_800)), halfHours.after(instant));
      assertEquals(
          Optional.of(instant.plusSeconds(1_800)), halfHours.after(instant.plusSeconds(1)));
      instant = instant.plusSeconds(1_800);
    }
  }

  @Test
  void cron_neverAgain_empty() {
    assertEquals(Optional.empty(), after("0 0 31 2 *", "2026-01-01T00:00:00Z"));
  }

  @Test
  void cron_badExpression_saysWhatIsWrong() {
    var e =
        assertThrows(IllegalArgumentException.class, () -> Recurrence.cron("61 * * * *", BERLIN));
    assertTrue(e.getMessage().contains("61"), e.getMessage());
    var short3 =
        assertThrows(IllegalArgumentException.class, () -> Recurrence.cron("* * *", BERLIN));
    assertTrue(
        short3.getMessage().startsWith("no cron expression: '* * *': "), short3.getMessage());
    assertThrows(NullPointerException.class, () -> Recurrence.cron(null, BERLIN));
    assertThrows(NullPointerException.class, () -> Recurrence.cron("* * * * *", null));
  }

  @Test
  void toString_cron_tellsExpressionAndZone() {
    assertEquals("'* * * * *' in Europe/Berlin", Recurrence.cron("* * * * *", BERLIN).toString());
  }

  @Test
  void cron_libraryMissing_saysWhichDependency() throws Exception {
    Class<?> recurrence = new WithoutCronUtils().loadClass("dev.rondo.time.Recurrence");
    var cron = recurrence.getMethod("cron", String.class, ZoneId.class);
    var e =
        assertThrows(InvocationTargetException.class, () -> cron.invoke(null, "* * * * *", BERLIN));
    assertInstanceOf(IllegalStateException.class, e.getCause());
    assertEquals(
        "cron expressions need the library cron-utils, which is not on the class path: add"
            + " com.cronutils:cron-utils:9.2.1",
        e.getCause().getMessage());
  }

  /// Loads our classes again, without that library.
  private static final class WithoutCronUtils extends ClassLoader {

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("com.cronutils.")) {
        throw new ClassNotFoundException(name);
      }
      if (!name.startsWith("dev.rondo.time.")) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      String file = name.replace('.', '/') + ".class";
      try (var in = RecurrenceTest.class.getClassLoader().getResourceAsStream(file)) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
