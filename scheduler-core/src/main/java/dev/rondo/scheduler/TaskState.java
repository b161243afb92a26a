package dev.rondo.scheduler;

/// The state of a task.
///
/// | from | to | cause |
/// |---|---|---|
/// | NEW | READY | `scheduleTask`, `scheduleNext`, `scheduleAfter`, `spawn` |
/// | NEW | WAITING | `scheduleOn` |
/// | NEW | SUSPENDED | `install` of an add-on |
/// | NEW | BLOCKED | on BOUND, a JDK call blocks code that is not a task: a task is made for it |
/// | READY | RUNNING | its turn has come |
/// | READY | WAITING | `scheduleOn` |
/// | READY | SUSPENDED | `unschedule` |
/// | RUNNING | READY | `yield`; a possible suspension point that yields |
/// | RUNNING | WAITING | `await`, `select`, `join` |
/// | RUNNING | SUSPENDED | `suspend` |
/// | RUNNING | IDLING | `idle`, `idleUntil` |
/// | RUNNING | BLOCKED | a blocking JDK call, on the BOUND backend |
/// | RUNNING | SUCCEEDED, FAILED, CANCELLED | its body ended |
/// | WAITING | READY | the event came; `cancel`; a timeout; `scheduleTask` |
/// | WAITING | SUSPENDED | `unschedule` |
/// | SUSPENDED | READY | `scheduleTask`; `cancel` |
/// | SUSPENDED | WAITING | `scheduleOn` |
/// | SUSPENDED | IDLING | `moveDeadline` of an add-on |
/// | IDLING | READY | its deadline has come; `scheduleTask`; `cancel`; other tasks kept the loop busy for a while |
/// | IDLING | WAITING | `scheduleOn` |
/// | IDLING | SUSPENDED | `unschedule`; `dropDeadline` of an add-on |
/// | BLOCKED | READY | the JDK call is over |
/// | all but RUNNING and BLOCKED | CANCELLED | `cancel` before it ever ran; `cancel` of a step task |
/// | all that have begun | FAILED | `close` gives it up, because it has not ended |
public enum TaskState {
  /// Made, not scheduled.
  NEW,
  /// In the ready queue.
  READY,
  /// Having its turn.
  RUNNING,
  /// Parked until the event it awaits.
  WAITING,
  /// Parked until it is scheduled.
  SUSPENDED,
  /// An add-on with nothing to do before an instant, unless woken.
  IDLING,
  /// In a blocking JDK call, while the loop goes on.
  BLOCKED,
  /// Ended with a value.
  SUCCEEDED,
  /// Ended with a failure.
  FAILED,
  /// Ended by cancellation.
  CANCELLED;

  /// {@return whether a task in this state is not in the ready queue and can be put there}
  public boolean isSchedulable() {
    return this == NEW || this == WAITING || this == SUSPENDED || this == IDLING;
  }

  /// {@return whether the task has ended}
  public boolean isDone() {
    return this == SUCCEEDED || this == FAILED || this == CANCELLED;
  }
}
