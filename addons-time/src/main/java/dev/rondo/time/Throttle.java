package dev.rondo.time;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskAction;
import java.time.Duration;

/// Runs an action when it is called, but not more often than once in an interval: at once on the
/// first call, and for all the calls that come within an interval after a run, once at its end.
///
/// The action runs in a task of its own, behind those that are ready; a run that takes longer than
/// the interval puts the next one off. Confined to the scheduler's thread; no method is a
/// suspension point.
public final class Throttle {

  private final WaitForTime time;
  private final long intervalNanos;
  private final Timer timer;
  private boolean ran;
  private long lastNanos;

  /// One that has not been called.
  ///
  /// @param scheduler runs the action
  /// @param interval from the beginning of one run to that of the next, at least zero
  /// @param action may suspend; its failure goes to the failure handler, and later calls count
  /// @return the throttle
  /// @throws IllegalArgumentException if the interval is negative
  public static Throttle create(Scheduler scheduler, Duration interval, TaskAction action) {
    return new Throttle(WaitForTime.on(scheduler), interval, action);
  }

  private Throttle(WaitForTime time, Duration interval, TaskAction action) {
    this.time = time;
    this.intervalNanos = WaitForTime.nanos(interval, "interval");
    TaskAction reporting = Debouncer.reporting(time, "action of a throttle", action);
    this.timer =
        new Timer(
            time,
            0,
            null,
            () -> {
              ran = true;
              lastNanos = time.nowNanos();
              reporting.run();
            });
  }

  /// Has the action run as soon as it may.
  ///
  /// @throws IllegalStateException if the scheduler is closed
  public void call() {
    if (!timer.isActive()) {
      long wait = ran ? lastNanos + intervalNanos - time.nowNanos() : 0;
      timer.reschedule(Duration.ofNanos(Math.max(0, wait)));
    }
  }

  /// Forgets the calls that have not been answered with a run.
  ///
  /// @return whether the action was to run
  public boolean cancel() {
    return timer.cancel();
  }

  /// {@return whether the action is to run}
  public boolean isPending() {
    return timer.isActive();
  }
}
