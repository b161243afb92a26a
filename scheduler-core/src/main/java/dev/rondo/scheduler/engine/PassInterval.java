package dev.rondo.scheduler.engine;

/// Determines the number of turns between two passes of the loop. While turns are short, there are
/// many turns between two passes, so that passes cost little. While turns are long, there are few
/// turns between passes, so that timers, sockets and other threads do not wait long.
final class PassInterval {

  /// No turn comes before the next pass.
  static final int NOW = -1;

  private static final int MOST_TURNS = 256;

  /// A pass that comes sooner than this delays the next pass. A pass that comes later than
  /// [#TOO_LATE_NANOS] makes the next pass come sooner.
  private static final long TOO_SOON_NANOS = 10_000;

  private static final long TOO_LATE_NANOS = 50_000;

  /// An assumed limit on the length of a turn. If a deadline is `n` times as far away, there are up
  /// to `n` turns between two looks at the clock.
  private static final long LONGEST_TURN_NANOS = 1_000_000_000;

  private int turns = 1;

  /// Whether a pass follows each turn.
  private boolean alwaysOne;

  /// The number of turns between the next look at the clock and the next pass; zero if that look is
  /// the pass.
  int turnsToPass;

  /// The number of turns by which the next look at the clock may come sooner.
  private int toSpare;

  void alwaysOne(boolean on) {
    alwaysOne = on;
  }

  /// Begins an interval, in a pass.
  ///
  /// @param elapsedNanos since the last pass
  /// @param served the number of add-ons that have the next turns; another task has a turn before
  ///   the next pass
  /// @param nanosLeft until the earliest deadline
  /// @return the number of turns after the next turn, until the next look at the clock
  int begin(long elapsedNanos, int served, long nanosLeft) {
    int untilPass = alwaysOne ? 1 : turnsAfter(elapsedNanos);
    return next(Math.max(untilPass, served + 1), served + 1, nanosLeft);
  }

  /// Adapts the number of turns between two passes to the length of the turns.
  ///
  /// @param elapsedNanos since the last pass
  /// @return the number
  int turnsAfter(long elapsedNanos) {
    if (elapsedNanos < TOO_SOON_NANOS) {
      turns = Math.min(MOST_TURNS, turns << 1);
    } else if (elapsedNanos > TOO_LATE_NANOS) {
      turns = (int) Math.max(1, turns * TOO_LATE_NANOS / elapsedNanos);
    }
    return turns;
  }

  /// Decides, after a look at the clock, how many turns come before the next look.
  ///
  /// @param elapsedNanos since the last pass
  /// @param nanosLeft until the earliest deadline
  /// @return the number; [#NOW] if a pass comes before the next turn, because a deadline has come
  ///   or turns have become longer
  int lookAgain(long elapsedNanos, long nanosLeft) {
    return nanosLeft <= 0 || elapsedNanos > TOO_LATE_NANOS ? NOW : next(turnsToPass, 1, nanosLeft);
  }

  private int next(int untilPass, int fewest, long nanosLeft) {
    long inTime = Math.clamp(nanosLeft / LONGEST_TURN_NANOS, 1, untilPass);
    int untilLook = (int) Math.max(fewest, inTime);
    toSpare = untilLook - fewest;
    turnsToPass = untilPass - untilLook;
    return untilLook - 1;
  }

  /// Called when a deadline has changed. The next look at the clock comes as soon as possible.
  ///
  /// @param turnsLeft the number of turns until the next look
  /// @return the new number of turns until the next look
  int sooner(int turnsLeft) {
    int sooner = Math.clamp(turnsLeft, 0, toSpare);
    turnsToPass += sooner;
    toSpare = 0;
    return turnsLeft - sooner;
  }

  /// Makes the interval end with the next look.
  void end() {
    turnsToPass = 0;
    toSpare = 0;
  }
}
