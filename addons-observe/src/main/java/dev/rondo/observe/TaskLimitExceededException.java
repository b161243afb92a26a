package dev.rondo.observe;

import dev.rondo.scheduler.TaskCancelled;

/// A task has used more than its limits allow. Its suspension points throw [TaskCancelled], as if
/// it had been cancelled, and it ends with this exception as its failure. The [TaskCancelled],
/// which shows where the task was, is suppressed in this exception.
public final class TaskLimitExceededException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /// Describes an exceeded limit.
  ///
  /// @param message names the task and the limit
  public TaskLimitExceededException(String message) {
    super(message);
  }
}
