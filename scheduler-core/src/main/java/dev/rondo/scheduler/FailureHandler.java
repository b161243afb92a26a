package dev.rondo.scheduler;

/// Receives failures that no other code receives: of tasks that are not joined, of callbacks, of
/// add-ons. Set with [SchedulerBuilder#failureHandler], which says what the default does.
@FunctionalInterface
public interface FailureHandler {

  /// Receives a failure. Runs on the scheduler's thread, and must not suspend; what it throws is
  /// logged together with the failure.
  ///
  /// @param where the task's name, or what was running
  /// @param failure what was thrown
  void failed(String where, Throwable failure);
}
