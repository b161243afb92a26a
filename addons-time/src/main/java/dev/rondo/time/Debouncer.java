package dev.rondo.time;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskAction;
import java.time.Duration;

/// Runs an action once after a series of calls, when no call has come for a while.
///
/// The action runs in a task of its own. A call during a run causes one more run later. Confined to
/// the scheduler's thread; no method is a suspension point.
public final class Debouncer {

  private final Timer timer;

  /// Makes a debouncer that has not been called.
  ///
  /// @param scheduler runs the action
  /// @param quiet the time without a call after which the action runs, at least zero
  /// @param action may suspend; its failure goes to the failure handler, and later calls still
  ///   count
  /// @throws IllegalArgumentException if the time is negative
  public Debouncer(Scheduler scheduler, Duration quiet, TaskAction<?> action) {
    this(WaitForTime.on(scheduler), quiet, action);
  }

  private Debouncer(WaitForTime time, Duration quiet, TaskAction<?> action) {
    timer =
        new Timer(
            time,
            WaitForTime.nanos(quiet, "quiet"),
            new CallAction(time, "action of a debouncer", action));
  }

  /// Postpones the action: it runs when no other call has come for the quiet time.
  ///
  /// @throws IllegalStateException if the scheduler is closed
  public void call() {
    timer.restart();
  }

  /// Forgets the calls so far.
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
