package dev.rondo.scheduler;

/// How [Scheduler#dump] writes.
public enum DumpFormat {
  /// For people: one line for each task and one for each frame of its stack that is not machinery.
  TEXT,

  /// For programs: one object, `{"scheduler": {..}, "tasks": [{..}, ..]}`, with all frames.
  /// Durations are in nanoseconds. What a task does not have is left out. If the loop did not
  /// answer there is a member `noAnswer` at the end, and the tasks may not be complete.
  JSON
}
