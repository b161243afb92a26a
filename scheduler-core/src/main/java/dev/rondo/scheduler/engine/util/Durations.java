package dev.rondo.scheduler.engine.util;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;

/// Converts durations to nanoseconds.
public final class Durations {

  /// About 146 years, for any duration that is longer. Half the range of a `long`, so that an
  /// instant this far in the future and an instant this far in the past still compare correctly by
  /// subtraction.
  public static final long FOREVER_NANOS = Long.MAX_VALUE >> 1;

  private Durations() {}

  /// {@return nanoseconds, at most [#FOREVER_NANOS]}
  ///
  /// @param what the argument's name, for the message
  /// @throws IllegalArgumentException if the duration is negative
  public static long nanos(Duration duration, String what) {
    requireNonNull(duration, () -> what + " is null");
    if (duration.isNegative()) {
      throw new IllegalArgumentException(
          what + " must not be negative, but is " + ReportText.duration(duration));
    }
    if (duration.toSeconds() >= FOREVER_NANOS / 1_000_000_000) {
      return FOREVER_NANOS;
    }
    return duration.toNanos();
  }
}
