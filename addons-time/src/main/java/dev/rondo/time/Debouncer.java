package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
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
  /// @param scheduler runs the action
  /// @param quiet how long no call must come, at least zero
  /// @param action may suspend; its failure goes to the failure handler, and later calls count
  /// @return the debouncer
  /// @throws IllegalArgumentException if the time is negative
  public static Debouncer create(Scheduler scheduler, Duration quiet, TaskAction action) {
    return new Debouncer(WaitForTime.on(scheduler), quiet, action);
  }

  private Debouncer(WaitForTime time, Duration quiet, TaskAction action) {
    timer =
        new Timer(
            time,
            WaitForTime.nanos(quiet, "quiet"),
            null,
            reporting(time, "action of a debouncer", action));
  }

  /// An action that fails would end its timer, and with it what was called for meanwhile.
  static TaskAction reporting(WaitForTime time, String name, TaskAction action) {
    requireNonNull(action, "action is null");
    return () -> {
      try {
        action.run();
      } catch (InterruptedException e) {
        throw e; // how a blocking call is told that its task is cancelled
      } catch (Exception e) {
        time.scheduler().host().report(name, e);
      }
    };
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
