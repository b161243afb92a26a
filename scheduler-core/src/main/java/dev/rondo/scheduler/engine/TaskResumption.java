package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.engine.util.WaitDescriptions;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What a [Task] resumes with: its wait, and the value or the failure that its next turn is handed,
/// by the event that ended the wait or by the caller that scheduled the task.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the type of the result of the task
abstract sealed class TaskResumption<T extends @Nullable Object> extends TaskResult<T>
    permits TaskLifecycle {

  // What was handed for the next turn.
  static final byte NOTHING = 0;
  private static final byte VALUE = 1;
  static final byte FAILURE = 2;

  /// Whether `received` was handed for the next turn, and what it is. Set by [#hand], cleared by
  /// [#dropReceived].
  byte handed = NOTHING;

  /// The value or the failure that the next turn receives. Set by [#hand].
  @Nullable Object received;

  /// The waiter for all waits of this task; null before its first wait.
  @Nullable TaskWaiter waiter;

  /// Null until the task needs one of these fields.
  @Nullable TaskExtras extras;

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

  /// Prepares what the task is to await, for one wait. The waiter of the task accepts values of any
  /// type.
  ///
  /// @throws IllegalStateException if it belongs to another scheduler
  @SuppressWarnings("unchecked")
  public final Waitable<Object> prepared(Waitable<?> asked) {
    if (asked instanceof WaitStep<?> step) {
      return (Waitable<Object>) step.prepared((TaskCore<T>) this);
    }
    requireOwn(asked);
    return (Waitable<Object>) asked;
  }

  /// Requires that tasks of this scheduler may await an event.
  ///
  /// @throws IllegalStateException if it belongs to another scheduler
  public final void requireOwn(Waitable<?> event) {
    Scheduler owner = event.scheduler();
    if (owner != null && owner != loop.scheduler) {
      throw new IllegalStateException(
          "task '"
              + name()
              + "' awaits "
              + WaitDescriptions.describe(event)
              + " of another scheduler: await completion(..) of a future or task instead, or hand"
              + " the event over with post(..)");
    }
  }

  /// Whether the task has received something that would be lost if the task did not take it. A wait
  /// that only observes a state delivers nothing that can be lost, unless it has a value.
  final boolean hasSomethingToTake() {
    if (!isHanded()) {
      return false;
    }
    if (received != null) {
      return true;
    }
    Waitable<?> source = waiter != null && waiter.isSettled() ? waiter.source() : null;
    return source != null && (source.isEager() || source instanceof WaitStep);
  }

  /// Ends the wait from which the task was woken, and drops its result.
  final void endSettledWait() {
    if (waiter != null && waiter.isSettled()) {
      waiter.end();
    }
  }

  /// Notes that a call which schedules the task has ended its wait, or has replaced the event that
  /// had ended it.
  final void scheduledDirectly() {
    waiter().leftDirectly = true;
  }

  // What the next turn gets.

  /// The cancellation that the next suspension point delivers, considering scopes and shields; null
  /// if there is none. Set by [TaskCore#refreshPendingCancel].
  public final @Nullable CancelRequest pendingCancel() {
    TaskExtras has = extras;
    return has == null ? null : has.pendingCancel;
  }

  final void setPendingCancel(@Nullable CancelRequest due) {
    TaskExtras has = extras;
    if (has != null) {
      has.pendingCancel = due;
    } else if (due != null) {
      extras().pendingCancel = due;
    }
  }

  final TaskExtras extras() {
    TaskExtras own = extras;
    if (own == null) {
      own = new TaskExtras();
      extras = own;
    }
    return own;
  }

  /// Keeps what a wait has left behind for the next one, until the task ends or another wait leaves
  /// something else.
  ///
  /// @param left is called then
  public final void keepLeftover(Consumer<? super TaskCore<?>> left) {
    TaskExtras its = extras();
    Consumer<? super TaskCore<?>> before = its.leftover;
    if (before != left) {
      its.leftover = left;
      if (before != null) {
        before.accept(self());
      }
    }
  }

  /// Hands a value or a failure to the next turn.
  final void hand(@Nullable Object value, @Nullable Throwable failure) {
    received = failure == null ? value : failure;
    handed = failure == null ? VALUE : FAILURE;
  }

  /// Whether a value or a failure was handed to the next turn.
  final boolean isHanded() {
    return handed != NOTHING;
  }

  /// Whether a failure was handed to the next turn.
  final boolean isHandedFailure() {
    return handed == FAILURE;
  }

  /// Forgets what was handed to the next turn.
  final void dropReceived() {
    received = null;
    handed = NOTHING;
  }

  /// Forgets what was handed to this turn, which did not take it, and the event that delivered it.
  final void dropUntaken() {
    if (waiter != null) {
      waiter.end();
    }
    dropReceived();
  }

  /// Takes what was handed to this turn, or throws it if it is a failure.
  final @Nullable Object takeReceivedOrThrow() {
    Object taken = received;
    boolean isFailure = handed == FAILURE;
    received = null;
    handed = NOTHING;
    if (isFailure && taken instanceof Throwable failure) {
      CancelRequest pending = pendingCancel();
      if (failure == Cancellation.DUE && pending != null) {
        throw Cancellation.deliver((TaskCore<T>) this, pending);
      }
      throw Throwables.rethrow(DeferredFailure.made(failure));
    }
    return taken;
  }
}
