package dev.rondo.scheduler;

/// What the core needs of a timer for deadlines and timeouts. The time add-on is one; see
/// [Scheduler#timerService(TimerService)].
public interface TimerService {

  /// An armed timer.
  interface TimerHandle {

    /// Disarms it; its action will not run. Never a suspension point.
    ///
    /// @return false if it has fired or was cancelled before
    boolean cancel();
  }

  /// Arms a timer. Never a suspension point.
  ///
  /// @param deadlineNanos an instant of the scheduler's ticker, in nanoseconds, see
  ///   [Scheduler#deadlineAfter]
  /// @param action run once on the scheduler's thread, not before that instant; must not suspend
  /// @return to disarm it
  TimerHandle at(long deadlineNanos, Runnable action);
}
