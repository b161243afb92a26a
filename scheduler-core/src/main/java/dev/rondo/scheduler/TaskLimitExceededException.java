package dev.rondo.scheduler;

/// A task has used more than its [TaskLimits] allows. It is told by [TaskCancelled] at its
/// suspension points, as if it had been cancelled, and ends with this as its failure; the
/// [TaskCancelled] that shows where it was is suppressed in here.
public final class TaskLimitExceededException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  TaskLimitExceededException(String message) {
    super(message);
  }
}
