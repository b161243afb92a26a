package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/// A sequence of instants, at which [WallClock#recurring] runs its action. Called on the
/// scheduler's thread; must be quick, and must not suspend.
@FunctionalInterface
public interface Recurrence {

  /// {@return the first instant after the given one; empty if there is none} Never a suspension
  /// point.
  ///
  /// @param instant any
  Optional<Instant> after(Instant instant);

  /// {@return the recurrence of a Unix cron expression} The library *cron-utils*, an optional
  /// dependency, parses the expression. An application that uses this method adds
  /// `com.cronutils:cron-utils:9.2.1`.
  ///
  /// When summer time begins, times of day that do not exist on that day are skipped. When it ends,
  /// some times of day come twice. If the expression names the hour, as `30 2 * * *` does, such a
  /// time counts once. If it names a range of hours or all hours, as `*/10 * * * *` does, the time
  /// counts twice.
  ///
  /// @param expression five fields: minute, hour, day of month, month, day of week; `*/15 9-17 * *
  ///   MON-FRI` is every quarter of an hour in working hours
  /// @param zone the time zone of the expression, summer time included
  /// @throws IllegalArgumentException if it is not a cron expression; the message states the error
  /// @throws IllegalStateException if cron-utils is not on the class path
  static Recurrence cron(String expression, ZoneId zone) {
    requireNonNull(expression, "expression is null");
    requireNonNull(zone, "zone is null");
    try {
      return CronRecurrence.parse(expression, zone);
    } catch (NoClassDefFoundError e) {
      throw new IllegalStateException(
          "cron expressions need the library cron-utils, which is not on the class path: add"
              + " com.cronutils:cron-utils:9.2.1",
          e);
    }
  }
}
