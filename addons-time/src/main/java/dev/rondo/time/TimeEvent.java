package dev.rondo.time;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.Source;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.Attachment;
import java.time.Duration;

/// An instant or a time span as an event: see [WaitForTime#at(Deadline)] and [WaitForTime#after].
abstract sealed class TimeEvent implements Source<Void> {

  /// Describes the event of a wait for ever.
  static final String NEVER = "an instant that never comes";

  final Alarms alarms;

  TimeEvent(Alarms alarms) {
    this.alarms = alarms;
  }

  /// One task's wait.
  private static final class Wait extends TimerEntry {

    private final Waiter<? super Void> waiter;

    Wait(Waiter<? super Void> waiter) {
      this.waiter = waiter;
    }

    @Override
    void fire() {
      var _ = waiter.fire(nothing());
    }

    @Override
    String describe() {
      return "ends a wait or a limit of " + taskOf(waiter);
    }
  }

  final void arm(Waiter<? super Void> waiter, long deadlineNanos) {
    var wait = new Wait(waiter);
    Attachment.set(waiter, wait);
    alarms.arm(wait, deadlineNanos);
  }

  @Override
  public final void disarm(Waiter<? super Void> waiter) {
    if (Attachment.of(waiter) instanceof Wait wait) {
      var _ = alarms.disarm(wait);
    }
  }

  @Override
  public final Scheduler scheduler() {
    return alarms.scheduler;
  }

  /// False: an instant is observed, not taken.
  @Override
  public final boolean isEager() {
    return false;
  }

  /// An instant.
  static final class At extends TimeEvent {

    private final long deadlineNanos;

    At(Alarms alarms, long deadlineNanos) {
      super(alarms);
      this.deadlineNanos = deadlineNanos;
    }

    @Override
    public boolean poll(Waiter<? super Void> waiter) {
      return alarms.host.nowNanos() - deadlineNanos >= 0 && waiter.fire(nothing());
    }

    @Override
    public void arm(Waiter<? super Void> waiter) {
      arm(waiter, deadlineNanos);
    }

    @Override
    public String toString() {
      return instant(deadlineNanos, alarms.host.nowNanos());
    }
  }

  /// The end of a time span that starts with the wait.
  static final class After extends TimeEvent {

    private final long delayNanos;

    After(Alarms alarms, Duration delay) {
      super(alarms);
      this.delayNanos = WaitForTime.nanos(delay, "delay");
    }

    /// A delay of zero is over at once.
    @Override
    public boolean poll(Waiter<? super Void> waiter) {
      return delayNanos == 0 && waiter.fire(nothing());
    }

    @Override
    public void arm(Waiter<? super Void> waiter) {
      arm(waiter, alarms.host.nowNanos() + delayNanos);
    }

    @Override
    public String toString() {
      return delayNanos == Alarms.FOREVER_NANOS
          ? NEVER
          : "the end of " + ReportText.nanos(delayNanos);
    }
  }

  /// Describes the task that waits.
  static String taskOf(Waiter<?> waiter) {
    return describe(waiter.task());
  }

  static String describe(Task<?> task) {
    return "task '%s'".formatted(ReportText.escaped(task.name()));
  }

  /// Describes an instant relative to the present one.
  static String instant(long deadlineNanos, long nowNanos) {
    long left = deadlineNanos - nowNanos;
    if (left == 0) {
      return "the instant now";
    }
    return left > 0
        ? "the instant in " + ReportText.nanos(left)
        : "the instant " + ReportText.nanos(-left) + " ago";
  }

  /// The only value of type Void.
  @SuppressWarnings("NullAway")
  private static Void nothing() {
    return null;
  }
}
