package dev.rondo.scheduler;

/// A task will never have another turn, though it has not ended: it was cancelled when its
/// scheduler closed or stopped, and was not done in time. What of its `finally` blocks has not run
/// never will.
///
/// The [FailureHandler] is told when the task is given up. When the scheduler closes it becomes the
/// failure of the task, for the threads that wait for that. Its trace is where the task is.
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
