package dev.rondo.scheduler;

/// Receives the failures that no other code receives: those of tasks that are not joined, of
/// callbacks, and of add-ons. Set with [SchedulerBuilder#failureHandler], which describes the
/// default.
///
/// The failure of a task comes here a second after the task has ended, or when the run ends, unless
/// a join, a wait, a future or a listener receives it by then. Other failures come at once. On a
/// scheduler without a timer all failures come at once.
@FunctionalInterface
public interface FailureHandler {

  /// Receives a failure. Runs on the scheduler's thread, and must not suspend. If this method
  /// throws, its exception is logged together with the failure.
  ///
  /// @param where the name of the task, or a description of the code that was running
  /// @param failure the exception that was thrown
  void failed(String where, Throwable failure);
}
