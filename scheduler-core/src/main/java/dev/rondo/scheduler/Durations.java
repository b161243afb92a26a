package dev.rondo.scheduler;

import java.time.Duration;

/// Durations as nanoseconds.
final class Durations {

  /// Stands for "for ever": about 146 years. Half the range, so that an instant this far away and
  /// one that is as long overdue still compare rightly by subtraction.
  static final long FOREVER_NANOS = Long.MAX_VALUE >> 1;

  private Durations() {}

  /// Nanoseconds, saturated at [#FOREVER_NANOS].
  ///
  /// @param what the argument's name, for the message
  /// @throws IllegalArgumentException if the duration is negative
  static long nanos(Duration duration, String what) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException(
          what + " must not be negative, but is " + readable(duration));
    }
    if (duration.toSeconds() >= FOREVER_NANOS / 1_000_000_000) {
      return FOREVER_NANOS;
    }
    return duration.toNanos();
  }

  /// `1.5 s`, `20 ms`: one number and one unit, the way a person writes it.
  static String readable(Duration duration) {
    double seconds = duration.toSeconds() + duration.toNanosPart() / 1e9;
    double size = Math.abs(seconds);
    if (size >= 1 || size == 0) {
      return number(seconds) + " s";
    } else if (size >= 1e-3) {
      return number(seconds * 1e3) + " ms";
    } else if (size >= 1e-6) {
      return number(seconds * 1e6) + " us";
    }
    return number(seconds * 1e9) + " ns";
  }

  private static String number(double value) {
    String digits = "%.3f".formatted(value);
    return digits.replaceAll("\\.?0+$", "");
  }
}
