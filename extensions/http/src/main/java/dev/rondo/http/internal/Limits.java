package dev.rondo.http.internal;

import java.time.Duration;
import java.util.Objects;

/// Checks the limits that a program sets.
public final class Limits {

  private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE >> 1);

  private Limits() {}

  /// Checks a number.
  public static void requireAtLeast(String name, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException("%s=%d; required >= %d".formatted(name, value, least));
    }
  }

  /// Checks a time.
  ///
  /// @return the time; for a longer time the longest that nanoseconds can count, which means for
  ///   ever
  public static Duration some(String name, Duration value) {
    Objects.requireNonNull(value, () -> name + " is null");
    if (!value.isPositive()) {
      throw new IllegalArgumentException("%s=%s; required > 0".formatted(name, value));
    }
    return value.compareTo(FOREVER) > 0 ? FOREVER : value;
  }
}
