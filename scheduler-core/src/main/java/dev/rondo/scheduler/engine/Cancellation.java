package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.CancelIgnoredException;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.scheduler.addon.TimerService;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How one task is being cancelled: most tasks never need it, so it is made on demand.
///
/// Confined to the scheduler's thread.
final class Cancellation {

  /// A task that receives one request this often ignores it: so many `finally` blocks that each
  /// wait are rare.
  private static final int MOST_TIMES_TOLD = 16;

  /// To cancel the whole task; null if it is just scopes of it that are cancelled.
  @Nullable CancelRequest request;

  /// For which request a blocking call of the task in the JDK was last interrupted.
  @Nullable CancelRequest interruptedFor;

  /// The request that the task received last, and how often.
  private @Nullable CancelRequest toldOf;

  private int timesTold;

  /// Looks whether the task has ended; null if no grace was given.
  private @Nullable TimerHandle graceAlarm;

  /// Whether the task has received a request, at a suspension point or by an interrupt.
  boolean hasTold(CancelRequest pending) {
    return pending == toldOf || pending == interruptedFor;
  }

  /// What to throw at a suspension point of the task.
  TaskCancelled tell(TaskCore<?> task, CancelRequest pending) {
    if (pending != toldOf) {
      toldOf = pending;
      timesTold = 0;
    }
    if (++timesTold == MOST_TIMES_TOLD) {
      report(task, TaskReports.toldOften(task, pending, timesTold));
    }
    return pending.toCancelled();
  }

  /// Looks at a deadline whether the task has ended, in place of an earlier look. Needs a request.
  void grant(TaskCore<?> task, Duration grace, TimerService keeper, long deadlineNanos) {
    end();
    CancelRequest holds = request;
    if (holds != null) {
      graceAlarm =
          keeper.at(
              deadlineNanos, () -> report(task, TaskReports.outOfPatience(task, holds, grace)));
    }
  }

  private static void report(TaskCore<?> task, CancelIgnoredException ignored) {
    task.report("task '" + task.name() + "'", ignored);
  }

  /// The task has ended.
  void end() {
    if (graceAlarm != null) {
      graceAlarm.cancel();
      graceAlarm = null;
    }
  }
}
