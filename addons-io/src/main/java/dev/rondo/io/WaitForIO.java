package dev.rondo.io;

import dev.rondo.scheduler.Placeholder;

/// Waiting for IO.
public final class WaitForIO {
  private WaitForIO() {}

  /// Reads the clock.
  ///
  /// @return the time in nanoseconds
  public static long now() {
    return Placeholder.now();
  }
}
