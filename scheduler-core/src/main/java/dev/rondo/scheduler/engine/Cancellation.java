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

  /// In place of a failure: what a wait ends with that a cancellation ends. The task makes what it
  /// throws itself, so that the trace shows the wait and not the call of `cancel`.
  @SuppressWarnings("StaticAssignmentOfThrowable") // a mark, without a trace
  static final Throwable DUE = new DeferredFailure(AssertionError::new);

  /// To cancel the whole task; null if it is just scopes of it that are cancelled.
  @Nullable CancelRequest request;

  /// For which request a blocking call of the task in the JDK was last interrupted.
  @Nullable CancelRequest interruptedFor;

  /// The request that the task received last, and how often.
  private @Nullable CancelRequest toldOf;

  private int timesTold;

  /// Looks whether the task has ended; null if no grace was given.
  @Nullable TimerHandle graceAlarm;

  /// Whether the task has received a request, at a suspension point or by an interrupt.
  boolean hasTold(CancelRequest pending) {
    return pending == toldOf || pending == interruptedFor;
  }

  /// What to throw at a suspension point of a task that is cancelled.
  static TaskCancelled tell(TaskCore<?> task, CancelRequest pending) {
    Cancellation own = task.cancellation();
    if (pending != own.toldOf) {
      own.toldOf = pending;
      own.timesTold = 0;
    }
    if (++own.timesTold == MOST_TIMES_TOLD) {
      report(task, TaskReports.toldOften(task, pending, own.timesTold));
    }
    return pending.toCancelled();
  }

  /// Looks at a deadline whether the task has ended, in place of an earlier look. Needs a request.
  void grant(TaskCore<?> task, Duration grace, TimerService keeper, long deadlineNanos) {
    endGrace();
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

  /// Gives up the look.
  void endGrace() {
    if (graceAlarm != null) {
      graceAlarm.cancel();
      graceAlarm = null;
    }
  }
}
