package dev.rondo.time;

import dev.rondo.scheduler.TaskAction;
import java.time.Duration;

/// Runs an action when things have become quiet: once, so long after the last of a series of calls.
///
/// The action runs in a task of its own. A call that comes while it runs has it run once more,
/// later. Confined to the scheduler's thread; no method is a suspension point.
public final class Debouncer {

  private final Timer timer;

  /// One that has not been called.
  ///
  /// @param time of the scheduler that the action runs in
  /// @param quiet how long no call must come, at least zero
  /// @param action may suspend; its failure goes to the failure handler, and later calls count
  /// @throws IllegalArgumentException if the time is negative
  public Debouncer(WaitForTime time, Duration quiet, TaskAction action) {
    timer = new Timer(time, WaitForTime.nanos(quiet, "quiet"), null, action);
  }

  /// Puts the action off: it runs one quiet time from now, unless called again before.
  ///
  /// @throws IllegalStateException if the scheduler is closed
  public void call() {
    timer.restart();
  }

  /// Forgets the calls so far.
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
