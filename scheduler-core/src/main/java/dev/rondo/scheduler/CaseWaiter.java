package dev.rondo.scheduler;

import org.jspecify.annotations.Nullable;

/// One branch of a choice: settles the wait above it, and sees to it that its sisters are disarmed.
final class CaseWaiter extends Waiter<Object> {

  private final Waiter<?> parent;
  private final CaseWaiter[] sisters;
  private final Waitable<?> source;
  private boolean armed;

  /// Whether the source is being armed, and may not know us yet.
  private boolean arming;

  private boolean won;
  private @Nullable Object raw;

  private CaseWaiter(Waiter<?> parent, CaseWaiter[] sisters, Waitable<?> source) {
    this.parent = parent;
    this.sisters = sisters;
    this.source = source;
  }

  /// One case for each part of a choice.
  static CaseWaiter[] all(Waiter<?> parent, Waitable<?>[] parts) {
    var cases = new CaseWaiter[parts.length];
    for (int i = 0; i < parts.length; i++) {
      cases[i] = new CaseWaiter(parent, cases, parts[i]);
    }
    return cases;
  }

  Waitable<?> source() {
    return source;
  }

  @Nullable Object raw() {
    return raw;
  }

  @Override
  public Task<?> task() {
    return parent.task();
  }

  @Override
  boolean isSettled() {
    return parent.isSettled();
  }

  boolean poll() {
    return pollOn(source);
  }

  private <V extends @Nullable Object> boolean pollOn(Waitable<V> part) {
    return part.poll(this.<V>as());
  }

  void arm() {
    armOn(source);
  }

  private <V extends @Nullable Object> void armOn(Waitable<V> part) {
    armed = true;
    arming = true;
    try {
      part.arm(this.<V>as());
    } catch (Throwable e) {
      armed = false;
      throw e;
    } finally {
      arming = false;
    }
    if (!armed && !won) {
      leave(part); // arming us fired a sister of ours
    }
  }

  void disarm() {
    if (armed) {
      armed = false;
      if (!arming) {
        leave(source);
      }
    }
  }

  @Override
  boolean settle(@Nullable Object value, @Nullable Throwable failure, boolean front) {
    if (parent.isSettled()) {
      return false; // maybe by this very case: its value must stay
    }
    raw = value;
    if (!parent.settle(failure == null ? this : null, failure, front)) {
      raw = null;
      return false;
    }
    armed = false;
    won = true;
    for (CaseWaiter sister : sisters) {
      sister.disarm();
    }
    return true;
  }
}
