package dev.rondo.time;

/// An action at an instant: an element of a [TimerWheel]. The entry keeps its own place in the
/// wheel.
///
/// | from | to | cause |
/// |---|---|---|
/// | IDLE | FAR or NEAR, or FOREVER | armed |
/// | FAR | FAR or NEAR | its bucket was opened |
/// | FAR, NEAR, FOREVER | IDLE | disarmed |
/// | FAR, NEAR | FIRING | a pass found it due |
/// | FIRING | IDLE | its turn to fire has come, or it was disarmed before that |
///
/// Confined to the scheduler's thread.
abstract class TimerEntry {

  /// The place of an entry that is IDLE.
  static final int NOWHERE = -1;

  /// The place of an entry that is FIRING.
  private static final int TO_BE_FIRED = -2;

  /// The bucket number of an entry that is armed for ever.
  static final int NEVER = -2;

  private static final int BUCKET_BITS = Short.SIZE;

  long deadlineNanos;

  /// The number of its arming in the upper 48 bits, and the number of its bucket in the lower 16.
  /// One field instead of two makes each timer eight bytes smaller. While the entry is IDLE,
  /// subclasses may keep a number here.
  private long order;

  /// Its index in the bucket or in the heap.
  int place = NOWHERE;

  /// Runs the action. The entry has left the wheel.
  abstract void fire();

  /// {@return a description of the action, for people}
  abstract String describe();

  /// The number of its arming. It increases with each arming, and so orders equal deadlines.
  final long arming() {
    return order >> BUCKET_BITS;
  }

  final void arming(long number) {
    order = number << BUCKET_BITS;
  }

  /// The number of the bucket that contains the entry while it is FAR. It is a number, because
  /// writing a reference to an object of the old generation costs a memory fence under the default
  /// collector, and a timer moves several times.
  final int bucket() {
    return (short) order;
  }

  final void bucket(int number) {
    order = (order >> BUCKET_BITS << BUCKET_BITS) | Short.toUnsignedLong((short) number);
  }

  /// The number that a subclass keeps while the entry is IDLE.
  final long kept() {
    return order;
  }

  final void keep(long number) {
    order = number;
  }

  final boolean isArmed() {
    return place >= 0;
  }

  /// Whether it is armed and will never be due.
  final boolean isForEver() {
    return isArmed() && bucket() == NEVER;
  }

  final boolean isFiring() {
    return place == TO_BE_FIRED;
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
    return distance == 0 ? order - other.order < 0 : distance < 0;
  }
}
