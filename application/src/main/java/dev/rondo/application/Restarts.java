package dev.rondo.application;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// The limit of a group's restarts: a number within any period of a given length, as for
/// Erlang/OTP's supervisors. Any thread.
final class Restarts {

  private final int most;
  private final long withinNanos;
  private final LongSupplier nanoTime;

  /// The times of the last restarts, the oldest first. Guarded by this.
  private final ArrayDeque<Long> recent = new ArrayDeque<>();

  /// @param nanoTime the clock
  Restarts(int most, Duration within, LongSupplier nanoTime) {
    this.most = most;
    this.withinNanos = TimeUnit.NANOSECONDS.convert(within); // saturated
    this.nanoTime = nanoTime;
  }

  static Restarts never() {
    return new Restarts(0, Duration.ZERO, System::nanoTime);
  }

  /// {@return whether there may be one more restart, which is counted then}
  synchronized boolean tryOne() {
    long now = nanoTime.getAsLong();
    recent.removeIf(each -> now - each >= withinNanos);
    if (recent.size() >= most) {
      return false;
    }
    recent.add(now);
    return true;
  }
}
