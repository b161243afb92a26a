package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.scheduler.internal.rooms.StepControl;
import dev.rondo.time.internal.ArmedTimer;
import dev.rondo.time.internal.ArmedTimers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The armed timers of a [WaitForTime], and the turns of its task, in which they fire.
///
/// Confined to the scheduler's thread.
final class Alarms implements ArmedTimers {

  /// Stands for "for ever": half the range of a long, so that any two instants at most this far
  /// from now compare correctly by subtraction.
  static final long FOREVER_NANOS = Long.MAX_VALUE >> 1;

  /// An instant farther from now than this means "for ever", too: the clock may have gone on for
  /// months since the program computed it.
  private static final long LONGEST_NANOS = TimeUnit.DAYS.toNanos(146 * 365);

  final Scheduler scheduler;
  final AddOnHost host;
  private final StepTask<Void> task;
  private final TimerWheel armed;

  /// The timers that the current pass found due, in order. A timer armed by one of them waits for
  /// the next pass; a timer disarmed by one of them does not fire.
  private final ArrayDeque<TimerEntry> due = new ArrayDeque<>();

  /// Whether the task has a turn now or soon. At the end of that turn it computes the next
  /// deadline.
  private boolean awake;

  /// Whether the task idles, or did so before it became ready, and until when. Otherwise the task
  /// is ready or suspended.
  private boolean idling;

  private long idlingUntilNanos;

  /// The clock as of the last pass.
  private long passedNanos;

  Alarms(Scheduler scheduler, AddOn addOn) {
    this.scheduler = scheduler;
    this.host = scheduler.host();
    this.passedNanos = host.nowNanos();
    this.armed = new TimerWheel(passedNanos);
    this.task = host.install(addOn);
  }

  // The task.

  /// Fires the timers that are due now.
  ///
  /// @return the number of timers that fired
  int pass() {
    long now = host.nowNanos();
    passedNanos = now;
    for (TimerEntry each; (each = armed.pollDue(now)) != null; ) {
      due.add(each);
    }
    int fired = 0;
    for (TimerEntry each; (each = due.poll()) != null; ) {
      if (each.endFiring()) {
        each.fire();
        fired++;
      }
    }
    armed.cascadeAhead();
    return fired;
  }

  /// One [#pass()], then idle until the next deadline.
  StepResult turn() {
    awake = true;
    idling = false;
    var _ = pass();
    awake = false;
    if (armed.isEmpty()) {
      return StepResult.SUSPEND;
    }
    idling = true;
    idlingUntilNanos = armed.firstNanos();
    return task.idleUntil(idlingUntilNanos);
  }

  /// Makes the task idle until a deadline. If the task is ready, it computes the deadline in its
  /// turn.
  private void idleUntil(long deadlineNanos) {
    idling = StepControl.moveDeadline(task, deadlineNanos);
    awake = !idling;
    idlingUntilNanos = deadlineNanos;
  }

  // Arming.

  /// Moves the deadline of the task if the new one is earlier. A timer for ever has no deadline: if
  /// there is no other timer, nothing wakes the tasks that wait for it.
  void arm(TimerEntry entry, long deadlineNanos) {
    long bounded = bounded(deadlineNanos);
    if (bounded - passedNanos > LONGEST_NANOS) {
      armed.armForEver(entry);
      return;
    }
    armed.arm(entry, bounded);
    if (!awake && (!idling || entry.deadlineNanos - idlingUntilNanos < 0)) {
      idleUntil(entry.deadlineNanos);
    }
  }

  /// Limits an instant that is too far from now to be compared by subtraction.
  private long bounded(long deadlineNanos) {
    long distance = deadlineNanos - passedNanos;
    if (distance > FOREVER_NANOS) {
      return passedNanos + FOREVER_NANOS;
    }
    return distance < -FOREVER_NANOS ? passedNanos - FOREVER_NANOS : deadlineNanos;
  }

  /// Moves the task's deadline if it was the entry's deadline. Otherwise the task would wake up in
  /// vain, and the scheduler would have a deadline to wait for. If timers have to be sorted to find
  /// the next deadline, the task sorts them in a turn that is due at once. So a program that
  /// repeatedly cancels the first of many timers sorts them once.
  boolean disarm(TimerEntry entry) {
    boolean wasForEver = entry.isForEver();
    boolean wasArmed = armed.disarm(entry);
    if (!wasArmed) {
      return entry.endFiring();
    }
    if (!awake && idling && entry.deadlineNanos == idlingUntilNanos && !wasForEver) {
      if (armed.isEmpty()) {
        idling = false;
        var _ = StepControl.dropDeadline(task);
      } else {
        idleUntil(armed.isFirstAtHand() ? armed.firstNanos() : passedNanos);
      }
    }
    return true;
  }

  /// Arms a callback.
  TimerHandle at(long deadlineNanos, Runnable action) {
    var callback = new Callback(requireNonNull(action, "action is null"));
    arm(callback, deadlineNanos);
    return callback;
  }

  // Looking.

  int size() {
    return armed.size() + due.size();
  }

  /// The timers that are not due.
  List<TimerEntry> list() {
    return armed.list();
  }

  @Override
  public int count() {
    host.checkThread();
    return size();
  }

  @Override
  public @Nullable Duration untilNext() {
    host.checkThread();
    Long next = nextDeadlineNanos();
    return next == null ? null : Duration.ofNanos(Math.max(0, next - host.nowNanos()));
  }

  @Override
  public TimerSearch search(ArmedTimer.@Nullable Place after, int most) {
    if (most < 0) {
      throw new IllegalArgumentException("most must be at least zero: most=" + most);
    }
    host.checkThread();
    return new TimerSearch(this, armed, after, most);
  }

  /// Whether no alarm is armed, and none is firing.
  boolean hasNone() {
    return armed.isEmpty() && due.stream().noneMatch(TimerEntry::isFiring);
  }

  /// The next deadline; null if no timer is armed. During a pass, timers that are about to fire
  /// count as armed.
  @Nullable Long nextDeadlineNanos() {
    for (TimerEntry each : due) {
      if (each.isFiring()) {
        return each.deadlineNanos;
      }
    }
    return armed.isEmpty() ? null : armed.firstNanos();
  }

  private final class Callback extends TimerEntry implements TimerHandle {

    private final Runnable action;

    Callback(Runnable action) {
      this.action = action;
    }

    @Override
    void fire() {
      try {
        action.run();
      } catch (Throwable e) {
        host.report("timer action " + action, e);
      }
    }

    @Override
    String describe() {
      return "a timer of an add-on";
    }

    @Override
    public boolean cancel() {
      host.checkThread();
      return disarm(this);
    }
  }
}
