package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.CancelIgnoredException;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.scheduler.addon.TimerService;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The state of the cancellation of one task. Most tasks never need it, so it is made on demand.
///
/// Confined to the scheduler's thread.
final class Cancellation {

  /// A task that receives one request so often ignores it: hardly any task is in so many `finally`
  /// blocks that each wait.
  private static final int MOST_DELIVERIES = 16;

  /// Stands for the failure of a wait that a cancellation ends. The task itself makes the
  /// throwable, so that its trace shows the wait and not the call of `cancel`.
  @SuppressWarnings("StaticAssignmentOfThrowable") // a mark, without a trace
  static final Throwable DUE = new DeferredFailure(AssertionError::new);

  /// The request to cancel the whole task; null if only scopes of it are cancelled.
  @Nullable CancelRequest request;

  /// The request for which a blocking call of the task was last interrupted; null if there was
  /// none.
  @Nullable CancelRequest interruptedFor;

  /// The request that the task has received last.
  private @Nullable CancelRequest delivered;

  private int deliveries;

  /// The timer that checks whether the task has ended; null if no grace was given.
  @Nullable TimerHandle graceAlarm;

  /// Whether the task has received a request, at a suspension point or by an interrupt.
  boolean hasDelivered(CancelRequest pending) {
    return pending == delivered || pending == interruptedFor;
  }

  /// Whether a blocking call of a task in the JDK was interrupted because of this request.
  static boolean hasInterrupted(StackfulTask<?> task, @Nullable CancelRequest request) {
    Cancellation own = task.cancellationIfAny();
    return request != null && own != null && request == own.interruptedFor;
  }

  /// Whether the interrupt status of a task's thread may come from a request.
  static boolean hasInterrupted(StackfulTask<?> task) {
    Cancellation own = task.cancellationIfAny();
    return own != null && own.interruptedFor != null;
  }

  /// Whether a request ends a task outside of a turn: it has no stack to leave.
  static boolean endsAtOnce(TaskCore<?> task) {
    return !task.entered || task instanceof StepTaskCore;
  }

  /// Returns what to throw at a suspension point of a task that is cancelled.
  static TaskCancelled deliver(TaskCore<?> task, CancelRequest pending) {
    Cancellation own = task.cancellation();
    if (pending != own.delivered) {
      own.delivered = pending;
      own.deliveries = 0;
    }
    if (++own.deliveries == MOST_DELIVERIES) {
      report(task, TaskReports.deliveredOften(task, pending, own.deliveries));
    }
    return pending.toCancelled();
  }

  /// Throws if a task is cancelled and has not received that.
  static void deliverIfNew(StackfulTask<?> task) {
    CancelRequest pending = task.pendingCancel;
    if (pending != null && !task.cancellation().hasDelivered(pending)) {
      throw deliver(task, pending);
    }
  }

  /// Sets the deadline at which it is checked whether the task has ended, in place of an earlier
  /// one. There must be a request.
  void grant(TaskCore<?> task, Duration grace, TimerService timers, long deadlineNanos) {
    endGrace();
    CancelRequest holds = request;
    if (holds != null) {
      graceAlarm =
          timers.at(
              deadlineNanos, () -> report(task, TaskReports.outOfPatience(task, holds, grace)));
    }
  }

  private static void report(TaskCore<?> task, CancelIgnoredException ignored) {
    task.report("task '" + task.name() + "'", ignored);
  }

  /// Cancels that check.
  void endGrace() {
    if (graceAlarm != null) {
      graceAlarm.cancel();
      graceAlarm = null;
    }
  }
}
