package dev.rondo.scheduler;

/// Told of failures that nobody else was told of: of tasks that nobody joined, of callbacks, of
/// add-ons. The default logs them at ERROR with the task's name and the trace.
@FunctionalInterface
public interface FailureHandler {

  /// Takes notice of a failure. Runs on the scheduler's thread, and must not suspend; what it
  /// throws is logged beside the failure.
  ///
  /// @param where the task's name, or what was running
  /// @param failure what was thrown
  void failed(String where, Throwable failure);
}
