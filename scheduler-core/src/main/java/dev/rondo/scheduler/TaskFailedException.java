package dev.rondo.scheduler;

import dev.rondo.scheduler.engine.util.WaitDescriptions;

/// Thrown to whoever joins a task that failed; the cause is what the task threw, with the task's
/// own trace.
public final class TaskFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /// Describes a failure.
  ///
  /// @param task the name of the task
  /// @param cause what it threw
  public TaskFailedException(String task, Throwable cause) {
    super("task '" + task + "' failed: " + WaitDescriptions.describe(cause), cause);
  }
}
