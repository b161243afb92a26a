package dev.rondo.scheduler.addon;

/// What a step task returns at the end of its turn.
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
