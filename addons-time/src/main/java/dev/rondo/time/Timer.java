package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// An action that runs at certain instants: once after a delay, or again and again.
///
/// Made by [WaitForTime#delay] and [WaitForTime#periodic]. The action runs in a task of the timer's
/// own, so it may suspend; no two runs of it overlap. A periodic timer keeps its phase: tick n is
/// due at start + delay + n * period, however late the one before was. Ticks whose instant has
/// passed when the action is ready for the next one are skipped and counted. When the action fails,
/// the timer ends; the failure goes to the scheduler's failure handler.
///
/// A timer with a tick to come keeps the scheduler running. It can be restarted at any time.
///
/// Confined to the scheduler's thread.
public final class Timer {

  /// Stands for the period of a timer that has none.
  private static final long ONCE = -1;

  private final WaitForTime time;
  private final Scheduler scheduler;
  private final String name;
  private final long delayNanos;

  /// Zero or more; [#ONCE] if there is no period.
  private final long periodNanos;

  private final TaskAction action;

  /// Where the action runs: from `restart` until no tick is to come. It has no stack before the
  /// first tick.
  private @Nullable Task<Void> task;

  /// Whether the task has had a turn.
  private boolean entered;

  /// Whether the action is running, or suspended in the middle.
  private boolean acting;

  /// Whether a tick is to come.
  private boolean active;

  /// When that is.
  private long nextNanos;

  /// Whether the action, while it ran, restarted its own timer.
  private boolean restarted;

  private long fired;
  private long missed;

  private Timer(
      WaitForTime time,
      Scheduler scheduler,
      String name,
      long delayNanos,
      long periodNanos,
      TaskAction action) {
    this.time = time;
    this.scheduler = scheduler;
    this.name = name;
    this.delayNanos = delayNanos;
    this.periodNanos = periodNanos;
    this.action = requireNonNull(action, "action is null");
  }

  static Timer delay(WaitForTime time, Scheduler scheduler, Duration delay, TaskAction action) {
    long delayNanos = WaitForTime.nanos(delay, "delay");
    return new Timer(time, scheduler, "delay " + delay, delayNanos, ONCE, action);
  }

  static Timer periodic(
      WaitForTime time, Scheduler scheduler, Duration delay, Duration period, TaskAction action) {
    long periodNanos = WaitForTime.nanos(period, "period");
    long delayNanos = WaitForTime.nanos(delay, "delay");
    return new Timer(time, scheduler, "periodic " + period, delayNanos, periodNanos, action);
  }

  /// Starts anew: the first tick comes one delay from now, and nothing of the former schedule is
  /// left. Also revives a timer that was cancelled, has fired, or has failed. An action that is
  /// under way goes on; the first tick waits for its end. Never a suspension point.
  ///
  /// @throws IllegalStateException if the scheduler is closed
  public void restart() {
    scheduler.checkThread();
    Task<Void> own = task;
    if (own == null) {
      own = newTask();
    }
    active = true;
    restarted = true;
    nextNanos = scheduler.nowNanos() + delayNanos;
    if (acting) {
      return; // run() goes on with it
    }
    var _ =
        delayNanos == 0
            ? scheduler.scheduleTask(own) // false if ready already, which is as good
            : scheduler.scheduleOn(own, time.at(nextNanos));
  }

  /// Ends it: no further tick, not even one that is due already. An action that is under way goes
  /// on to its end. Never a suspension point.
  ///
  /// @return false if no tick was to come
  public boolean cancel() {
    scheduler.checkThread();
    if (!active) {
      return false;
    }
    active = false;
    Task<Void> own = task;
    if (own != null && !acting) {
      var _ =
          entered
              ? scheduler.scheduleTask(own) // to see that it is over
              : own.cancel("the timer was cancelled before its first tick");
    }
    return true;
  }

  /// {@return whether a tick is to come}
  public boolean isActive() {
    scheduler.checkThread();
    return active;
  }

  /// {@return how often the action was begun, over all restarts}
  public long fired() {
    scheduler.checkThread();
    return fired;
  }

  /// {@return how many ticks were skipped because their instant passed before the action could run,
  /// over all restarts}
  public long missed() {
    scheduler.checkThread();
    return missed;
  }

  // The task.

  private Task<Void> newTask() {
    Task<Void> made = scheduler.newTask(name, this::run);
    made.trap((ended, outcome) -> {
      active = false;
      task = null;
      return outcome;
    });
    task = made;
    entered = false;
    return made;
  }

  /// The task's body; begins when the first tick is due.
  private void run() throws Exception {
    entered = true;
    while (active) {
      act();
      if (active) {
        scheduler.await(time.at(nextNanos));
      }
    }
  }

  private void act() throws Exception {
    fired++;
    active = periodNanos != ONCE;
    restarted = false;
    acting = true;
    try {
      action.run();
    } finally {
      acting = false;
    }
    if (active && !restarted) {
      nextNanos = following(nextNanos, scheduler.nowNanos());
    }
  }

  /// The instant of the next tick that has not passed.
  private long following(long lastNanos, long nowNanos) {
    if (periodNanos == 0) {
      return nowNanos;
    }
    long next = lastNanos + periodNanos;
    long late = nowNanos - next;
    if (late <= 0) {
      return next;
    }
    long skipped = Math.ceilDiv(late, periodNanos);
    missed += skipped;
    return next + skipped * periodNanos;
  }

  @Override
  public String toString() {
    String period = periodNanos == ONCE ? "" : ", period " + Duration.ofNanos(periodNanos);
    String delay = "delay " + Duration.ofNanos(delayNanos);
    return "timer (" + delay + period + (active ? ")" : ", not active)");
  }
}
