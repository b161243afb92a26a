package dev.rondo.scheduler;

/// A task has not ended and will never have another turn. It was cancelled when its scheduler
/// closed or stopped, and did not end in time. Its remaining `finally` blocks will never run.
///
/// The [FailureHandler] receives this exception when the task is given up. Tasks that had not begun
/// when a scheduler stopped, such as tasks of [Scheduler#execute], share one report that gives
/// their number. When the scheduler closes, this exception becomes the failure of the task for the
/// threads that wait for it. The stack trace is that of the task.
public final class TaskAbandonedException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  /// Describes a task that was given up.
  ///
  /// @param message names the task, and says when and why
  /// @param stack where the task is
  public TaskAbandonedException(String message, StackTraceElement[] stack) {
    super(message);
    setStackTrace(stack);
  }
}
