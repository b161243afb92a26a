package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskAction;
import java.time.Duration;

/// Runs an action when it is called, but at most once per interval. The first call runs it at once;
/// all calls within an interval run it once, at the end of the interval.
///
/// The action runs in a task of its own, behind the tasks that are ready; a run that takes longer
/// than the interval delays the next one. Confined to the scheduler's thread; no method is a
/// suspension point.
public final class Throttle {

  private final WaitForTime time;
  private final long intervalNanos;
  private final Timer timer;
  private boolean ran;
  private long lastNanos;

  /// Makes a throttle that has not been called.
  ///
  /// @param scheduler runs the action
  /// @param interval from the start of one run to the start of the next, at least zero
  /// @param action may suspend; its failure goes to the failure handler, and later calls still
  ///   count
  /// @throws IllegalArgumentException if the interval is negative
  public Throttle(Scheduler scheduler, Duration interval, TaskAction<?> action) {
    this(WaitForTime.on(scheduler), interval, action);
  }

  private Throttle(WaitForTime time, Duration interval, TaskAction<?> action) {
    this.time = time;
    this.intervalNanos = WaitForTime.nanos(interval, "interval");
    requireNonNull(action, "action is null");
    this.timer =
        new Timer(
            time,
            0,
            new CallAction(
                time,
                "action of a throttle",
                () -> {
                  ran = true;
                  lastNanos = time.nowNanos();
                  action.run();
                }));
  }

  /// Runs the action as soon as the interval allows.
  ///
  /// @throws IllegalStateException if the scheduler is closed
  public void call() {
    if (!timer.isActive()) {
      long wait = ran ? lastNanos + intervalNanos - time.nowNanos() : 0;
      timer.reschedule(Duration.ofNanos(Math.max(0, wait)));
    }
  }

  /// Forgets the calls since the last run.
  ///
  /// @return whether the action was pending
  public boolean cancel() {
    return timer.cancel();
  }

  /// {@return whether the action is pending}
  boolean isPending() {
    return timer.isActive();
  }
}
