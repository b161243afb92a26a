package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.WaitClaim;
import org.jspecify.annotations.Nullable;

/// One branch of a choice: settles the wait above it, and sees to it that its sisters are disarmed.
/// When that wait is over it may serve another one of the same choice.
final class SelectCase extends WaiterCore<Object> {

  /// The wait it is a part of; null between two waits.
  private @Nullable WaiterCore<?> parent;

  private final SelectCase[] sisters;
  private final Waitable<?> source;
  private boolean armed;

  /// Whether the source is being armed, and may not know us yet.
  private boolean arming;

  private boolean won;
  private @Nullable Object raw;

  private SelectCase(WaiterCore<?> parent, SelectCase[] sisters, Waitable<?> source) {
    this.parent = parent;
    this.sisters = sisters;
    this.source = source;
  }

  /// One case for each part of a choice.
  static SelectCase[] all(WaiterCore<?> parent, Waitable<?>[] parts) {
    var cases = new SelectCase[parts.length];
    for (int i = 0; i < parts.length; i++) {
      cases[i] = new SelectCase(parent, cases, parts[i]);
    }
    return cases;
  }

  /// Has the cases of a wait that is over serve another one.
  static void serve(SelectCase[] cases, WaiterCore<?> parent) {
    for (SelectCase each : cases) {
      each.parent = parent;
    }
  }

  /// The wait is over, and its result was taken: forgets all about it.
  ///
  /// @return all cases of the wait
  SelectCase[] forget() {
    for (SelectCase each : sisters) {
      each.parent = null;
      each.won = false;
      each.raw = null;
      each.attach(null);
    }
    return sisters;
  }

  Waitable<?> source() {
    return source;
  }

  @Nullable Object raw() {
    return raw;
  }

  /// Which one of its sisters it is, counted from 0. For ever.
  int index() {
    int index = 0;
    while (sisters[index] != this) {
      index++;
    }
    return index;
  }

  @Override
  public TaskCore<?> task() {
    WaiterCore<?> above = parent;
    if (above == null) {
      throw usedTooLate();
    }
    return above.task();
  }

  @Override
  public WaitClaim claim() {
    WaiterCore<?> above = parent;
    if (above == null) {
      throw usedTooLate();
    }
    return above.claim();
  }

  @Override
  boolean keepPromise(WaitClaim claim) {
    WaiterCore<?> above = parent;
    return above != null && above.keepPromise(claim);
  }

  private IllegalStateException usedTooLate() {
    return new IllegalStateException(
        "a waiter for " + source + " is used after its wait was over: forget it in disarm(..)");
  }

  /// Between two waits there is nothing to be hurt: whatever fires us is refused.
  @Override
  void checkCaller() {
    WaiterCore<?> above = parent;
    if (above != null) {
      above.checkCaller();
    }
  }

  @Override
  boolean isSettled() {
    WaiterCore<?> above = parent;
    return above == null || above.isSettled();
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
    WaiterCore<?> above = parent;
    if (above == null || above.isSettled()) {
      return false; // maybe by this very case: its value must stay
    }
    raw = value;
    if (!above.settle(failure == null ? this : null, failure, front)) {
      raw = null;
      return false;
    }
    armed = false;
    won = true;
    for (SelectCase sister : sisters) {
      sister.disarm();
    }
    return true;
  }
}
