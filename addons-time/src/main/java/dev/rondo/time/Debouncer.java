package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskAction;
import java.time.Duration;

/// Runs an action once after a series of calls, when no call has come for a while.
///
/// The action runs in a task of its own. A call during a run causes one more run later. Confined to
/// the scheduler's thread; no method is a suspension point.
public final class Debouncer {

  private final Timer timer;

  /// {@return a debouncer that has not been called}
  ///
  /// @param scheduler runs the action
  /// @param quiet the time without a call after which the action runs, at least zero
  /// @param action may suspend; its failure goes to the failure handler, and later calls still
  ///   count
  /// @throws IllegalArgumentException if the time is negative
  public static Debouncer create(Scheduler scheduler, Duration quiet, TaskAction<?> action) {
    return new Debouncer(WaitForTime.on(scheduler), quiet, action);
  }

  private Debouncer(WaitForTime time, Duration quiet, TaskAction<?> action) {
    timer =
        new Timer(
            time,
            WaitForTime.nanos(quiet, "quiet"),
            reporting(time, "action of a debouncer", action));
  }

  /// Wraps an action so that its failure is reported: a failure that reaches the timer would end it
  /// and lose the calls since.
  static TaskAction<?> reporting(WaitForTime time, String name, TaskAction<?> action) {
    requireNonNull(action, "action is null");
    return () -> {
      try {
        action.run();
      } catch (Exception e) {
        if (e instanceof InterruptedException) {
          throw e; // a cancelled task's blocking call ends with it
        }
        time.scheduler().host().report(name, e);
      }
    };
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
  public boolean isPending() {
    return timer.isActive();
  }
}
