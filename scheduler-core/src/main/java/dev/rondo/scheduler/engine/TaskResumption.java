package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import org.jspecify.annotations.Nullable;

/// What a [Task] resumes with: its wait, and the value or the failure that its next turn is handed,
/// by the event that ended the wait or by the caller that scheduled the task.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the type of the result of the task
abstract sealed class TaskResumption<T extends @Nullable Object> extends TaskResult<T>
    permits TaskLifecycle {

  /// Whether `received` was handed for the next turn. Set by [#hand], cleared by [#dropReceived].
  boolean handed;

  /// The value or the failure that the next turn receives. Set by [#hand].
  @Nullable Object received;

  /// Whether `received` is a failure, to be thrown.
  private boolean handedFailure;

  /// The waiter for all waits of this task; null before its first wait.
  @Nullable TaskWaiter waiter;

  /// Whether a call that schedules the task has ended its wait, or has replaced the event that had
  /// ended it. Holds until the next wait begins.
  boolean scheduledDirectly;

  /// The cancellation that the next suspension point delivers, considering scopes and shields; null
  /// if there is none. Set by [TaskCore#refreshPendingCancel].
  @Nullable CancelRequest pendingCancel;

  TaskResumption(Loop loop) {
    super(loop);
  }

  // The wait.

  final TaskWaiter waiter() {
    TaskWaiter own = waiter;
    if (own == null) {
      own = new TaskWaiter(self());
      waiter = own;
    }
    return own;
  }

  /// Settles the wait of the task, if its waiter was woken together with others. The task may be
  /// running.
  final void resolveWait() {
    TaskWaiter own = waiter;
    if (own != null && own.chain != null) {
      own.resolve();
    }
  }

  /// Whether the task has received something that would be lost if the task did not take it. A wait
  /// that only observes a state delivers nothing that can be lost, unless it has a value.
  final boolean hasSomethingToTake() {
    if (!handed) {
      return false;
    }
    if (received != null) {
      return true;
    }
    Waitable<?> source = waiter != null && waiter.isSettled() ? waiter.source() : null;
    return source != null && (source.isEager() || source instanceof Composite);
  }

  /// Ends the wait from which the task was woken, and drops its result.
  final void endSettledWait() {
    if (waiter != null && waiter.isSettled()) {
      waiter.end();
    }
  }

  // What the next turn gets.

  /// Hands a value or a failure to the next turn.
  final void hand(@Nullable Object value, @Nullable Throwable failure) {
    received = failure == null ? value : failure;
    handedFailure = failure != null;
    handed = true;
  }

  /// Whether a failure was handed to the next turn.
  final boolean isHandedFailure() {
    return handedFailure;
  }

  /// Forgets what was handed to the next turn.
  final void dropReceived() {
    received = null;
    handedFailure = false;
    handed = false;
  }

  /// Takes what was handed to this turn, or throws it if it is a failure.
  final @Nullable Object takeReceivedOrThrow() {
    Object taken = received;
    boolean isFailure = handedFailure;
    dropReceived();
    if (isFailure && taken instanceof Throwable failure) {
      CancelRequest pending = pendingCancel;
      if (failure == Cancellation.DUE && pending != null) {
        throw Cancellation.deliver((TaskCore<T>) this, pending);
      }
      throw Throwables.rethrow(DeferredFailure.made(failure));
    }
    return taken;
  }
}
