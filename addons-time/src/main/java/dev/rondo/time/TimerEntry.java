package dev.rondo.time;

/// What happens at an instant: an element of [TimerWheel], and where it is in there.
///
/// | from | to | cause |
/// |---|---|---|
/// | IDLE | FAR or NEAR | armed |
/// | FAR | FAR or NEAR | its bucket was opened |
/// | FAR, NEAR | IDLE | disarmed |
/// | NEAR | FIRING | a pass found it due |
/// | FIRING | IDLE | its turn to fire has come, or it was disarmed before that |
///
/// Confined to the scheduler's thread.
abstract class TimerEntry {

  /// Places of an entry that has none: IDLE and FIRING.
  private static final int NOWHERE = -1;

  private static final int TO_BE_FIRED = -2;

  long deadlineNanos;

  /// Counts up with every arming: decides among equal deadlines.
  long sequence;

  /// The number of what holds it while it is FAR. A number because a reference written into an
  /// object of the old generation costs a memory fence under the default collector, and a timer
  /// moves several times.
  int bucket;

  /// Where in its bucket, or in the heap.
  int place = NOWHERE;

  /// Does it. The entry has left the structure.
  abstract void fire();

  final boolean isArmed() {
    return place >= 0;
  }

  final void setIdle() {
    place = NOWHERE;
  }

  final void setFiring() {
    place = TO_BE_FIRED;
  }

  /// Makes it IDLE if it is FIRING.
  ///
  /// @return whether it was
  final boolean endFiring() {
    if (place != TO_BE_FIRED) {
      return false;
    }
    place = NOWHERE;
    return true;
  }

  final boolean isBefore(TimerEntry other) {
    long distance = deadlineNanos - other.deadlineNanos;
    return distance == 0 ? sequence - other.sequence < 0 : distance < 0;
  }
}
