package dev.rondo.condition;

import dev.rondo.scheduler.Placeholder;

/// Waiting for conditions and signals.
public final class WaitForCondition {
  private WaitForCondition() {}

  /// Reads the clock.
  ///
  /// @return the time in nanoseconds
  public static long now() {
    return Placeholder.now();
  }
}
