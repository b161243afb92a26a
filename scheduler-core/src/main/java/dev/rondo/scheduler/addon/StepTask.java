package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.engine.Faces;
import org.jspecify.annotations.Nullable;

/// A task without a stack: a [StepBody] called once per turn, at the cost of a virtual call.
///
/// The body receives this handle, for the value that woke the task and for its result.
///
/// Confined to the scheduler's thread, except where a method of [Task] says otherwise. No method
/// that this interface adds is a suspension point.
///
/// @param <T> the type of the result of the task
public sealed interface StepTask<T extends @Nullable Object> extends Task<T> permits Faces.Steps {

  // For the body.

  /// {@return the result that ends the task with a value}
  ///
  /// @param value the task's result
  StepResult done(T value);

  /// {@return the result of a task that idles until something outside of the scheduler wakes it:
  /// while a task idles the scheduler is not deadlocked}
  StepResult idle();

  /// {@return the result of a task that idles until an instant, unless woken earlier} While other
  /// tasks keep the loop busy, the task still has a turn now and then.
  ///
  /// @param deadlineNanos an instant of the scheduler's ticker, in nanoseconds; an instant that has
  ///   passed is due in the next pass
  StepResult idleUntil(long deadlineNanos);

  /// {@return the result of a task that awaits an event: its next turn comes with the event, and
  /// [#received()] returns the value}
  ///
  /// @param event what to await; the function of a `map` runs in [#received()]
  /// @throws IllegalStateException outside the body's turn, or if the task awaits an event in this
  ///   turn already
  StepResult await(Waitable<?> event);

  /// Takes the value of this turn: the result of a wait, or the argument of `scheduleTask(task,
  /// value)` or `step(value)`. Never a suspension point.
  ///
  /// @return the value; null if there is none, and on a second call
  /// @throws IllegalStateException outside the body's turn, or after [#await] in the same turn
  /// @throws RuntimeException the failure of the wait, unwrapped
  @Nullable Object received();

  // For the holder of the handle.

  /// Schedules the task if it is parked. The first waiter of an add-on wakes the task of the add-on
  /// in this way.
  ///
  /// @return false if it is ready or running already, or has ended
  boolean wake();
}
