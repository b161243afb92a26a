package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.CancelIgnoredException;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.coroutine.Coroutine;
import org.jspecify.annotations.Nullable;

/// The state of the cancellation of one task. It is made on demand, because most tasks are never
/// cancelled.
///
/// A request reaches a task in three steps. [TaskCore#cancelHere] or a [CancelSource] keeps the
/// request. [TaskCore#refreshPendingCancel] determines the request that holds for the task,
/// considering its scopes and shields. [TaskCore#applyCancel] wakes the task if it is parked. The
/// suspension point at which the task was parked then throws the exception that [#deliver] makes. A
/// task that is not parked receives the request at its next suspension point. A task without a
/// stack, such as a task that has not begun, ends at once.
///
/// Confined to the scheduler's thread.
public final class Cancellation {

  /// A task that receives the same request this many times is reported, because it probably ignores
  /// the request. Few tasks are in so many nested `finally` blocks that wait.
  private static final int MOST_DELIVERIES = 16;

  /// A placeholder for the failure of a wait that a cancellation ends. The task itself makes the
  /// exception, so that the stack trace shows the wait and not the call of `cancel`.
  @SuppressWarnings("StaticAssignmentOfThrowable") // a mark, without a trace
  static final Throwable DUE = new Throwables.DeferredFailure(AssertionError::new);

  /// The request to cancel the whole task; null if only scopes of it are cancelled.
  @Nullable CancelRequest request;

  /// The request for which a blocking call of the task was last interrupted; null if there was
  /// none.
  @Nullable CancelRequest interruptedFor;

  /// The last request that the task has received; null if it has received none.
  private @Nullable CancelRequest delivered;

  private int deliveries;

  /// Whether the task has received a request, at a suspension point or by an interrupt.
  boolean hasDelivered(CancelRequest pending) {
    return pending == delivered || pending == interruptedFor;
  }

  /// {@return the request for which a blocking call of a task was last interrupted; null if there
  /// was none} The interrupt status of the task's thread may come from it.
  public static @Nullable CancelRequest interruptedFor(TaskCore<?> task) {
    Cancellation own = task.cancellationIfAny();
    return own == null ? null : own.interruptedFor;
  }

  /// Interrupts the call of the JDK that blocks a task.
  static void interrupt(TaskCore<?> task, CancelRequest request) {
    Coroutine blocked = task.coroutine;
    if (blocked != null) {
      task.cancellation().interruptedFor = request;
      blocked.interrupt();
    }
  }

  /// Whether a request ends a task outside of a turn, because the task has no stack to leave.
  public static boolean endsAtOnce(TaskCore<?> task) {
    return !task.entered || !(task instanceof StackfulTask);
  }

  /// Makes the exception that a suspension point of a cancelled task throws.
  static TaskCancelled deliver(TaskCore<?> task, CancelRequest pending) {
    Cancellation own = task.cancellation();
    if (pending != own.delivered) {
      own.delivered = pending;
      own.deliveries = 0;
    }
    if (++own.deliveries == MOST_DELIVERIES) {
      report(task, Rooms.all().deliveredOften(task, pending, own.deliveries));
    }
    return pending.toCancelled();
  }

  /// Throws if a task is cancelled and has not received the request.
  static void deliverIfNew(StackfulTask<?> task) {
    TaskCancelled due = dueIfNew(task, task.pendingCancel());
    if (due != null) {
      throw due;
    }
  }

  /// The exception that a task has to receive for a request; null if there is no request, or the
  /// task has received it.
  public static @Nullable TaskCancelled dueIfNew(
      StackfulTask<?> task, @Nullable CancelRequest pending) {
    return pending == null || task.cancellation().hasDelivered(pending)
        ? null
        : deliver(task, pending);
  }

  private static void report(TaskCore<?> task, CancelIgnoredException ignored) {
    task.loop.report("task '" + task.name() + "'", ignored);
  }

  // A request arrives.

  /// Asks a task to end. Any thread.
  ///
  /// @return false if the task has ended, or was cancelled before
  static boolean ask(TaskCore<?> task, String reason, @Nullable Throwable cause) {
    Loop loop = task.loop;
    boolean here = loop.isCaller();
    if (!here && task.isDone()) {
      return false;
    }
    String canceller = here ? loop.callerName() : Loop.thisThread();
    var request = CancelRequest.here("task '" + task.name() + "'", reason, canceller, cause);
    if (here) {
      return task.cancelHere(request);
    }
    return loop.post(() -> task.cancelHere(request));
  }
}
