package dev.rondo.time;

/// Determines when the next tick of a periodic [Timer] is due, and what happens to missed ticks. A
/// tick is missed if its instant has passed before the action could run, because the action or
/// other tasks took too long.
///
/// With a period of 10 and a first tick that is delayed from 10 to 35:
///
/// | policy | runs at | missed |
/// |---|---|---|
/// | SKIP | 35, 40, 50, .. | 2 |
/// | BURST | 35, 35, 35, 40, 50, .. | 0 |
/// | DELAY | 35, 45, 55, .. | 2 |
/// | FIXED_DELAY | 35, 45, 55, .. | 0 |
public enum TickPolicy {

  /// Ticks stay at start + n * period; missed ticks are skipped and counted. The default.
  SKIP,

  /// Ticks stay at start + n * period; missed ticks run at once, one after the other, with a turn
  /// for all other ready tasks in between. None is lost.
  BURST,

  /// As [#SKIP] until a tick is missed: then one tick runs at once and starts a new phase, and the
  /// missed ticks before it are skipped and counted. Two ticks are always at least a period apart.
  DELAY,

  /// The period is counted from the end of the action: there is no phase, and no tick is missed.
  FIXED_DELAY
}
