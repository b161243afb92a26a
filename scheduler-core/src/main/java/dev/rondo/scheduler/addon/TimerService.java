package dev.rondo.scheduler.addon;

/// The timer that the core uses for deadlines and timeouts. The time add-on provides one. Confined
/// to the scheduler's thread.
public interface TimerService {

  /// Arms a timer. Never a suspension point.
  ///
  /// @param deadlineNanos an instant of the scheduler's ticker, in nanoseconds, see
  ///   [AddOnHost#deadlineAfter]
  /// @param action run once on the scheduler's thread, not before that instant; must not suspend
  /// @return a handle that disarms the timer
  TimerHandle at(long deadlineNanos, Runnable action);
}
