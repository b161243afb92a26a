package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/// Instants that something is to happen at, one after the other: what [WallClock#recurring] goes
/// by.
@FunctionalInterface
public interface Recurrence {

  /// {@return the first instant after the given one; empty if there is none} Never a suspension
  /// point.
  ///
  /// @param instant any
  Optional<Instant> after(Instant instant);

  /// {@return the recurrence of a Unix cron expression} It is read by the library *cron-utils*, an
  /// optional dependency: an application that wants this adds `com.cronutils:cron-utils:9.2.1`.
  ///
  /// When summer time begins, times of day that are left out on that day are left out here. When it
  /// ends, those that come twice count once if the expression names the hour (`30 2 * * *`), and
  /// both times if it names a range of hours or all (`*/10 * * * *`).
  ///
  /// @param expression five fields: minute, hour, day of month, month, day of week; `*/15 9-17 * *
  ///   MON-FRI` is every quarter of an hour in working hours
  /// @param zone whose clocks it is about, summer time included
  /// @throws IllegalArgumentException if it is no cron expression; the message says what is wrong
  /// @throws IllegalStateException if cron-utils is not on the class path
  static Recurrence cron(String expression, ZoneId zone) {
    requireNonNull(expression, "expression is null");
    requireNonNull(zone, "zone is null");
    try {
      return CronRecurrence.parse(expression, zone);
    } catch (NoClassDefFoundError e) {
      throw new IllegalStateException(
          "cron expressions need the library cron-utils, which is not there: add the dependency"
              + " com.cronutils:cron-utils:9.2.1",
          e);
    }
  }
}
