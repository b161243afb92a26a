package dev.rondo.scheduler;

/// Receives the failures that no other code receives: those of tasks that are not joined, of
/// callbacks, and of add-ons. Set with [SchedulerBuilder#failureHandler], which describes the
/// default.
@FunctionalInterface
public interface FailureHandler {

  /// Receives a failure. Runs on the scheduler's thread, and must not suspend. If this method
  /// throws, its exception is logged together with the failure.
  ///
  /// @param where the name of the task, or a description of the code that was running
  /// @param failure the exception that was thrown
  void failed(String where, Throwable failure);
}
