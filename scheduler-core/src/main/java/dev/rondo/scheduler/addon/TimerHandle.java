package dev.rondo.scheduler.addon;

/// An armed timer. Confined to the scheduler's thread.
public interface TimerHandle {

  /// Disarms the timer; its action will not run. Never a suspension point.
  ///
  /// @return false if the timer has fired or was cancelled before
  boolean cancel();
}
