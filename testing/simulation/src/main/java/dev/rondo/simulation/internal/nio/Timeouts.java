package dev.rondo.simulation.internal.nio;

import dev.rondo.simulation.internal.net.Timeline;

/// Checks and units of what sockets are given.
final class Timeouts {

  private static final long NANOS_PER_MILLI = 1_000_000;

  private Timeouts() {}

  /// {@return a timeout in nanoseconds}
  ///
  /// @param millis 0 for none
  static long nanos(int millis) {
    return millis == 0 ? Timeline.NEVER : millis * NANOS_PER_MILLI;
  }

  /// {@return a buffer size that is more than zero}
  static int positive(int bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("invalid buffer size: bytes=" + bytes);
    }
    return bytes;
  }
}
