package dev.rondo.scheduler;

import dev.rondo.scheduler.internal.ReportText;

/// Thrown by the join of a task that failed. The cause is what the task threw, with its own trace.
///
/// If the task failed because it joined another task that failed, and so on, the message has the
/// name of the task and the first failure of that chain. The causes lead to that failure.
public final class TaskFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /// How many tasks of the chain have failed, this one included.
  private final int length;

  /// The exception that the first task of the chain threw.
  private final Throwable first;

  /// Describes a failure.
  ///
  /// @param task the name of the task
  /// @param cause what it threw
  public TaskFailedException(String task, Throwable cause) {
    this(
        task,
        cause,
        cause instanceof TaskFailedException chain ? chain.first : cause,
        cause instanceof TaskFailedException chain ? chain.length + 1 : 1);
  }

  /// The message has only the first failure. If it had the messages of all causes, the memory for a
  /// chain would grow with the square of its length.
  private TaskFailedException(String task, Throwable cause, Throwable first, int length) {
    super(
        "task '"
            + task
            + "' failed: "
            + (length == 1 ? "" : "first of " + length + " failures: ")
            + ReportText.describe(first),
        cause);
    this.length = length;
    this.first = first;
  }
}
