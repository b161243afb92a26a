package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.TimerHandle;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is armed in a [WaitForTime], and the turns of its task in which that fires.
///
/// Confined to the scheduler's thread.
final class Alarms {

  /// Stands for "for ever": half the range of a long, so that any two instants that are at most
  /// this far from now compare rightly by subtraction.
  static final long FOREVER_NANOS = Long.MAX_VALUE >> 1;

  private final Scheduler scheduler;
  private final StepTask<Void> task;
  private final TimerWheel armed;

  /// Those that the current pass found due, in order. What one of them arms waits for the next
  /// pass, and what one of them disarms does not fire.
  private final ArrayDeque<TimerEntry> due = new ArrayDeque<>();

  /// Whether the task has a turn to come, or is in one.
  private boolean awake;

  /// Whether it idles, and until when; if neither, it is suspended.
  private boolean idling;

  private long idlingUntilNanos;

  /// The clock as of the last pass.
  private long passedNanos;

  Alarms(Scheduler scheduler, AddOn addOn) {
    this.scheduler = scheduler;
    this.passedNanos = scheduler.host().nowNanos();
    this.armed = new TimerWheel(passedNanos);
    this.task = scheduler.host().install(addOn);
  }

  Scheduler scheduler() {
    return scheduler;
  }

  long nowNanos() {
    return scheduler.host().nowNanos();
  }

  // The task.

  /// Fires what is due now.
  ///
  /// @return how many that were
  int pass() {
    long now = scheduler.host().nowNanos();
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

  /// Has the task look again at what is next.
  private void awaken() {
    if (!awake) {
      awake = true;
      idling = false;
      var _ = task.wake();
    }
  }

  // Arming.

  /// Wakes the task if this is earlier than what it waits for.
  void arm(TimerEntry entry, long deadlineNanos) {
    armed.arm(entry, bounded(deadlineNanos));
    if (!idling || entry.deadlineNanos - idlingUntilNanos < 0) {
      awaken();
    }
  }

  /// Instants that somebody made up may be so far away that they do not compare any more.
  private long bounded(long deadlineNanos) {
    long distance = deadlineNanos - passedNanos;
    if (distance > FOREVER_NANOS) {
      return passedNanos + FOREVER_NANOS;
    }
    return distance < -FOREVER_NANOS ? passedNanos - FOREVER_NANOS : deadlineNanos;
  }

  /// Wakes the task if this may be what it waits for: not to look at the next deadline too early,
  /// and lest the scheduler believes that there is something to wait for.
  boolean disarm(TimerEntry entry) {
    boolean wasArmed = armed.disarm(entry);
    if (!wasArmed) {
      return entry.endFiring();
    }
    if (idling && entry.deadlineNanos == idlingUntilNanos) {
      awaken();
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

  /// Those that are not due.
  List<TimerEntry> list() {
    return armed.list();
  }

  /// The next deadline, for a clock that is driven by hand; null if nothing is armed.
  @Nullable Long nextDeadlineNanos() {
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
        scheduler.host().report("timer action " + action, e);
      }
    }

    @Override
    public boolean cancel() {
      scheduler.host().checkThread();
      return disarm(this);
    }
  }
}
