package dev.rondo.scheduler.addon;

/// What the core needs of a timer for deadlines and timeouts. The time add-on is one; see
/// [AddOnHost#timerService(TimerService)].
public interface TimerService {

  /// Arms a timer. Never a suspension point.
  ///
  /// @param deadlineNanos an instant of the scheduler's ticker, in nanoseconds, see
  ///   [AddOnHost#deadlineAfter]
  /// @param action run once on the scheduler's thread, not before that instant; must not suspend
  /// @return to disarm it
  TimerHandle at(long deadlineNanos, Runnable action);
}
