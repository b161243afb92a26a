package dev.rondo.scheduler;

/// A task will never have another turn, though it has not ended: it was cancelled when its
/// scheduler closed or stopped, and did not end in time. Its remaining `finally` blocks will never
/// run.
///
/// The [FailureHandler] receives this when the task is given up. When the scheduler closes it
/// becomes the failure of the task, for the threads that wait for the task. Its trace is the stack
/// of the task.
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
