package dev.rondo.time;

import dev.rondo.scheduler.Placeholder;

/// Waiting for time.
public final class WaitForTime {
  private WaitForTime() {}

  /// Reads the clock.
  ///
  /// @return the time in nanoseconds
  public static long now() {
    return Placeholder.now();
  }
}
