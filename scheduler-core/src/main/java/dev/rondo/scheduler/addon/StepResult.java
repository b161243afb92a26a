package dev.rondo.scheduler.addon;

/// The result of one turn of a step task: how the task goes on.
public enum StepResult {
  /// The task goes to the back of the ready queue.
  AGAIN,
  /// The task is parked until it is woken or scheduled.
  SUSPEND,
  /// The task idles until it is woken: see [StepTask#idle()] and [StepTask#idleUntil(long)].
  IDLE,
  /// The task has ended.
  DONE
}
