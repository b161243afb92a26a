package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskAction;
import java.time.Duration;

/// Runs an action once for many calls. A coalescer made by [#debounce] runs it when the calls have
/// stopped. A coalescer made by [#throttle] runs it while they go on, at most once per interval.
///
/// The action runs in a task of its own. A call during a run causes one more run later. Confined to
/// the scheduler's thread; no method is a suspension point.
public final class Coalescer {

  private final WaitForTime time;

  /// The shortest time from the start of one run to the start of the next; zero if each call
  /// restarts the timer.
  private final long intervalNanos;

  private final boolean debounces;
  private final Timer timer;
  private boolean ran;
  private long lastNanos;

  private Coalescer(WaitForTime time, boolean debounces, long nanos, TaskAction<?> action) {
    this.time = time;
    this.debounces = debounces;
    this.intervalNanos = debounces ? 0 : nanos;
    requireNonNull(action, "action is null");
    String name = debounces ? "action of a debouncer" : "action of a throttle";
    this.timer =
        new Timer(time, debounces ? nanos : 0, new CallAction(time, name, () -> run(action)));
  }

  private <X extends Exception> void run(TaskAction<X> action) throws X {
    ran = true;
    lastNanos = time.nowNanos();
    action.run();
  }

  /// {@return a coalescer that runs its action when no call has come for a while}
  ///
  /// @param scheduler runs the action
  /// @param quiet the time without a call after which the action runs, at least zero
  /// @param action may suspend; its failure goes to the failure handler, and later calls still
  ///   count
  /// @throws IllegalArgumentException if the time is negative
  public static Coalescer debounce(Scheduler scheduler, Duration quiet, TaskAction<?> action) {
    return new Coalescer(
        WaitForTime.on(scheduler), true, WaitForTime.nanos(quiet, "quiet"), action);
  }

  /// {@return a coalescer that runs its action at once on the first call, and at the end of each
  /// interval once for all calls within it} The action runs behind the tasks that are ready. A run
  /// that takes longer than the interval delays the next one.
  ///
  /// @param scheduler runs the action
  /// @param interval from the start of one run to the start of the next, at least zero
  /// @param action may suspend; its failure goes to the failure handler, and later calls still
  ///   count
  /// @throws IllegalArgumentException if the interval is negative
  public static Coalescer throttle(Scheduler scheduler, Duration interval, TaskAction<?> action) {
    return new Coalescer(
        WaitForTime.on(scheduler), false, WaitForTime.nanos(interval, "interval"), action);
  }

  /// Asks for a run.
  ///
  /// @throws IllegalStateException if the scheduler is closed
  public void call() {
    if (debounces) {
      timer.restart();
    } else if (!timer.isActive()) {
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
