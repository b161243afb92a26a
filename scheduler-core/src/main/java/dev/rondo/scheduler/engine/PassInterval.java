package dev.rondo.scheduler.engine;

/// How many turns lie between two passes of the loop: many while turns are short, so that passes
/// cost little; few when turns are long, so that timers, sockets and other threads need not wait.
final class PassInterval {

  private static final int MOST_TURNS = 256;

  /// A pass that comes sooner than this makes the next come later, and one later than that sooner.
  private static final long TOO_SOON_NANOS = 10_000;

  private static final long TOO_LATE_NANOS = 50_000;

  /// While a deadline is further away than that many times as long as this, there may be that many
  /// turns between two looks at the clock: it is noticed in time as long as turns are shorter.
  private static final long LONGEST_TURN_NANOS = 1_000_000_000;

  private int turns = 1;

  /// Turns until the next pass.
  ///
  /// @param elapsedNanos since the last one
  int turnsAfter(long elapsedNanos) {
    if (elapsedNanos < TOO_SOON_NANOS) {
      turns = Math.min(MOST_TURNS, turns << 1);
    } else if (elapsedNanos > TOO_LATE_NANOS) {
      turns = (int) Math.max(1, turns * TOO_LATE_NANOS / elapsedNanos);
    }
    return turns;
  }

  /// Whether a pass is late by now: turns have become longer.
  ///
  /// @param elapsedNanos since the last one
  static boolean isTooLate(long elapsedNanos) {
    return elapsedNanos > TOO_LATE_NANOS;
  }

  /// Turns until the next look at the clock.
  ///
  /// @param turns until the next pass
  /// @param nanosLeft until the earliest deadline
  static int turnsUntilLook(int turns, long nanosLeft) {
    return Math.clamp(nanosLeft / LONGEST_TURN_NANOS, 1, turns);
  }
}
