package dev.rondo.scheduler;

/// Reports to the [FailureHandler] that a task was cancelled and has not ended. Never thrown. The
/// stack trace is that of the task. The cause shows where `cancel` was called.
///
/// There are two possible reasons. The task catches [TaskCancelled], for instance in a `catch
/// (Throwable)`, and continues; it should rethrow it. Or the cleanup of the task, inside
/// [Scheduler#shielded], takes longer than expected.
public final class CancelIgnoredException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /// Describes a task that does not end.
  ///
  /// @param message names the task, and says how it was cancelled
  /// @param site where `cancel` was called
  public CancelIgnoredException(String message, Throwable site) {
    super(message, site);
  }
}
