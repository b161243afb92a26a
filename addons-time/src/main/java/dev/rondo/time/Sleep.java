package dev.rondo.time;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.Source;
import org.jspecify.annotations.Nullable;

/// One task's wait for an instant, used once. A sleep is both event and timer, so that a sleeping
/// task uses little memory. A [TimeEvent], in contrast, can be awaited repeatedly, and by several
/// tasks at a time.
final class Sleep extends TimerEntry implements Source<Void> {

  private final Alarms alarms;
  private @Nullable Waiter<? super Void> waiter;

  Sleep(Alarms alarms, long deadlineNanos) {
    this.alarms = alarms;
    this.deadlineNanos = deadlineNanos;
  }

  @Override
  @SuppressWarnings("NullAway") // the only value of type Void
  public boolean poll(Waiter<? super Void> asking) {
    return alarms.host.nowNanos() - deadlineNanos >= 0 && asking.fire(null);
  }

  @Override
  public void arm(Waiter<? super Void> armed) {
    waiter = armed;
    alarms.arm(this, deadlineNanos);
  }

  @Override
  public void disarm(Waiter<? super Void> left) {
    var _ = alarms.disarm(this);
  }

  @Override
  @SuppressWarnings("NullAway") // the only value of type Void
  void fire() {
    Waiter<? super Void> sleeper = waiter;
    if (sleeper != null) {
      var _ = sleeper.fire(null);
    }
  }

  @Override
  String describe() {
    Waiter<?> sleeper = waiter;
    return sleeper == null ? "ends a sleep" : "ends a sleep of " + TimeEvent.taskOf(sleeper);
  }

  @Override
  public Scheduler scheduler() {
    return alarms.scheduler;
  }

  /// False: an instant is observed, not taken.
  @Override
  public boolean isEager() {
    return false;
  }

  @Override
  public String toString() {
    return isForEver() ? TimeEvent.NEVER : TimeEvent.instant(deadlineNanos, alarms.host.nowNanos());
  }
}
