package dev.rondo.observe;

/// The format of a dump, see [Loops].
public enum DumpFormat {
  /// For people: the add-ons' descriptions, one line for each task, and one line for each frame of
  /// its stack that is not Rondo's own machinery.
  TEXT,

  /// For programs: one object, `{"scheduler": {..}, "tasks": [{..}, ..]}`, with all frames. If
  /// add-ons describe themselves, see [dev.rondo.scheduler.addon.AddOn#describe], the tasks are
  /// preceded by a member `addOns`: `[{"name": .., "figures": {..}, "lines": [..]}, ..]`. Durations
  /// are in nanoseconds. A member that does not apply to a task is left out. If the loop does not
  /// answer, the object ends with a member `noAnswer`, and tasks may be missing.
  JSON
}
