package dev.rondo.time;

/// How a periodic [Timer] goes on after a tick, and what it does about ticks that it missed: those
/// whose instant has passed when the action is ready for them, because it took too long itself or
/// because other tasks did.
///
/// With a period of 10 and a first tick that is held up from 10 to 35:
///
/// | policy | runs at | missed |
/// |---|---|---|
/// | SKIP | 35, 40, 50, .. | 2 |
/// | BURST | 35, 35, 35, 40, 50, .. | 0 |
/// | DELAY | 35, 45, 55, .. | 2 |
/// | FIXED_DELAY | 35, 45, 55, .. | 0 |
public enum TickPolicy {

  /// Ticks stay at start + n * period; those that were missed are skipped and counted. The default.
  SKIP,

  /// Ticks stay at start + n * period; those that were missed are made up for at once, one after
  /// the other, with a turn for everybody else in between. None is lost.
  BURST,

  /// As [#SKIP], until a tick is missed: then it comes at once, the phase begins anew with it, and
  /// those before it are skipped and counted. Two ticks never come closer than a period.
  DELAY,

  /// The period is counted from the end of the action: there is no phase, and nothing to miss.
  FIXED_DELAY
}
