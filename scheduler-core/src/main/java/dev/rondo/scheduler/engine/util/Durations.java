package dev.rondo.scheduler.engine.util;

import java.time.Duration;

/// Converts durations to nanoseconds, and to text.
public final class Durations {

  /// About 146 years, for any duration that is longer. Half the range of a `long`, so that an
  /// instant this far ahead and one this long past still compare correctly by subtraction.
  public static final long FOREVER_NANOS = Long.MAX_VALUE >> 1;

  private Durations() {}

  /// {@return nanoseconds, at most [#FOREVER_NANOS]}
  ///
  /// @param what the argument's name, for the message
  /// @throws IllegalArgumentException if the duration is negative
  public static long nanos(Duration duration, String what) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException(
          what + " must not be negative, but is " + readable(duration));
    }
    if (duration.toSeconds() >= FOREVER_NANOS / 1_000_000_000) {
      return FOREVER_NANOS;
    }
    return duration.toNanos();
  }

  /// {@return one number and one unit, as a person writes it: `1.5 s`, `20 ms`}
  public static String readable(Duration duration) {
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
