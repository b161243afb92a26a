package dev.rondo.application;

import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.function.LongSupplier;

/// The pauses before the restarts of one loop. A loop that fails begins again at once. While it
/// fails soon after each restart, the pauses double from 100 ms to 30 s. After a run of 30 s a loop
/// counts as one that has not failed before.
///
/// Confined to the loop's thread.
final class RestartPause {

  /// Waits.
  @FunctionalInterface
  interface Sleeper {

    /// Waits for a time, or until the group is ending.
    void sleep(Duration time) throws InterruptedException;
  }

  private static final Duration FIRST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final LongSupplier nanoTime;
  private final Sleeper sleeper;
  private Duration next = Duration.ZERO;
  private long begin;

  RestartPause(LongSupplier nanoTime, Sleeper sleeper) {
    this.nanoTime = nanoTime;
    this.sleeper = sleeper;
  }

  /// Called when the loop begins.
  void begins() {
    begin = nanoTime.getAsLong();
  }

  /// Waits before the loop begins again.
  ///
  /// @param name of the loop
  /// @param failure the failure of the loop
  /// @return false if the calling thread was interrupted; it is interrupted again
  boolean pause(String name, Throwable failure) {
    if (nanoTime.getAsLong() - begin >= LONGEST.toNanos()) {
      next = Duration.ZERO;
    }
    Duration pause = next;
    next = pause.isZero() ? FIRST : pause.multipliedBy(2);
    if (next.compareTo(LONGEST) > 0) {
      next = LONGEST;
    }
    if (pause.isZero()) {
      return true;
    }
    FailureLogger.warn(
        "loop '%s' has failed soon after its restart, and begins again in %s: %s"
            .formatted(name, ReportText.duration(pause), ReportText.escaped(failure.toString())));
    try {
      sleeper.sleep(pause);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
