package dev.rondo.scheduler.addon;

/// What a step task answers at the end of its turn.
public enum StepResult {
  /// Put me at the back of the ready queue.
  AGAIN,
  /// Take me out of circulation; what I arranged, or somebody, will schedule me again.
  SUSPEND,
  /// I have nothing to do unless woken: see [StepTask#idle()] and [StepTask#idleUntil(long)].
  IDLE,
  /// I have ended.
  DONE
}
