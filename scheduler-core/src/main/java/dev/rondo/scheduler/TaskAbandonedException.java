package dev.rondo.scheduler;

import dev.rondo.scheduler.engine.util.WaitDescriptions;

/// A task will never have another turn, though it has not ended: it was cancelled when its
/// scheduler closed or stopped, and was not done in time. What of its `finally` blocks has not run
/// never will.
///
/// The [FailureHandler] is told when the task is given up. When the scheduler closes it becomes the
/// failure of the task, for the threads that wait for that. Its trace is where the task is.
public final class TaskAbandonedException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  private TaskAbandonedException(Task<?> task, String when) {
    super(task + " was abandoned when the scheduler " + when + whyOf(task));
    setStackTrace(task.stackTrace());
  }

  static TaskAbandonedException closed(Task<?> task) {
    return new TaskAbandonedException(task, "closed: it did not end");
  }

  static TaskAbandonedException stopped(Task<?> task) {
    return new TaskAbandonedException(task, "stopped: it did not end in its time to clean up");
  }

  private static String whyOf(Task<?> task) {
    var why = new StringBuilder();
    if (task.cancelRequest() != null) {
      why.append(" after its cancellation");
      if (task.pendingCancel == null) {
        why.append(", of which the shielded code that it is in is not told");
      }
    }
    Waitable<?> awaited = task.awaited();
    if (awaited != null) {
      why.append("; it waits for ").append(WaitDescriptions.describe(awaited));
    }
    return why.toString();
  }
}
