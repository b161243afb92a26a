package dev.rondo.scheduler.engine.util;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Locale;

/// Converts durations to nanoseconds, and to text.
public final class Durations {

  /// About 146 years, for any duration that is longer. Half the range of a `long`, so that an
  /// instant this far in the future and an instant this far in the past still compare correctly by
  /// subtraction.
  public static final long FOREVER_NANOS = Long.MAX_VALUE >> 1;

  private static final int SECONDS_PER_MINUTE = 60;
  private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE);

  private Durations() {}

  /// {@return nanoseconds, at most [#FOREVER_NANOS]}
  ///
  /// @param what the argument's name, for the message
  /// @throws IllegalArgumentException if the duration is negative
  public static long nanos(Duration duration, String what) {
    requireNonNull(duration, () -> what + " is null");
    if (duration.isNegative()) {
      throw new IllegalArgumentException(
          what + " must not be negative, but is " + readable(duration));
    }
    if (duration.toSeconds() >= FOREVER_NANOS / 1_000_000_000) {
      return FOREVER_NANOS;
    }
    return duration.toNanos();
  }

  /// {@return a duration as [dev.rondo.scheduler.internal.ReportText] writes it}
  public static String readable(Duration duration) {
    if (duration.isNegative()) {
      boolean isLongest = duration.toSeconds() == Long.MIN_VALUE; // that has no opposite
      return "-" + readable(isLongest ? LONGEST : duration.negated());
    }
    if (duration.toSeconds() >= SECONDS_PER_MINUTE) {
      return wholeUnits(duration);
    }
    double seconds = duration.toSeconds() + duration.toNanosPart() / 1e9;
    if (seconds >= 1 || seconds == 0) {
      return number(seconds) + " s";
    } else if (seconds >= 1e-3) {
      return number(seconds * 1e3) + " ms";
    } else if (seconds >= 1e-6) {
      return number(seconds * 1e6) + " us";
    }
    return number(seconds * 1e9) + " ns";
  }

  private static String wholeUnits(Duration duration) {
    var text = new StringBuilder();
    append(text, duration.toDaysPart(), "d");
    append(text, duration.toHoursPart(), "h");
    append(text, duration.toMinutesPart(), "min");
    append(text, duration.toSecondsPart(), "s");
    return text.toString();
  }

  private static void append(StringBuilder text, long count, String unit) {
    if (count > 0) {
      text.append(text.isEmpty() ? "" : " ").append(count).append(' ').append(unit);
    }
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.3f", value).replaceAll("\\.?0+$", "");
  }
}
