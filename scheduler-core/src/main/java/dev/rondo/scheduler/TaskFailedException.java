package dev.rondo.scheduler;

import dev.rondo.scheduler.engine.util.WaitDescriptions;

/// Thrown by the join of a task that failed. The cause is what the task threw, with its own trace.
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
