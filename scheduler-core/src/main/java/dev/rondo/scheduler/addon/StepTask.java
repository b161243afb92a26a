package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.engine.StepTaskCore;
import org.jspecify.annotations.Nullable;

/// A task without a stack: a [StepBody] called once per turn, at the cost of a virtual call.
///
/// The body gets this handle, for what the task received and for its answer.
///
/// @param <T> what the task results in
public sealed interface StepTask<T extends @Nullable Object> extends Task<T> permits StepTaskCore {

  // For the body.

  /// {@return the answer that ends the task with a value}
  ///
  /// @param value the task's result
  StepResult done(T value);

  /// {@return the answer of a task that has nothing to do until it is woken, and that something
  /// outside of the scheduler can wake: while a task idles the scheduler is not deadlocked}
  StepResult idle();

  /// {@return the answer of a task that has nothing to do before an instant, unless woken} While
  /// others keep the loop busy it gets a turn now and then all the same.
  ///
  /// @param deadline an instant of the scheduler's ticker, in nanoseconds
  StepResult idleUntil(long deadline);

  /// {@return the answer of a task that looks at what others do, and has nothing else to do before
  /// an instant: like [#idleUntil(long)], and besides it gets a turn behind each task that becomes
  /// ready meanwhile} Watchers do not wake each other.
  ///
  /// @param deadline an instant of the scheduler's ticker, in nanoseconds
  StepResult watchUntil(long deadline);

  /// {@return the answer of a task that awaits something: its next turn comes when that is there,
  /// and [#received()] tells it}
  ///
  /// @param asked what to await; a `map` on it runs in [#received()]
  /// @throws IllegalStateException outside the body's turn, or if it awaits something in this turn
  ///   already
  StepResult await(Waitable<?> asked);

  /// Takes what this turn was woken with: the result of a wait, or what `scheduleTask(task, value)`
  /// or `step(value)` gave. Never a suspension point.
  ///
  /// @return what it was; null if there was nothing, and on a second call
  /// @throws IllegalStateException outside the body's turn
  /// @throws RuntimeException whatever the wait failed with, as it is
  @Nullable Object received();

  // For the holder of the handle.

  /// Schedules the task if it is parked: how an add-on's first waiter wakes it.
  ///
  /// @return false if it is ready or running already, or has ended
  boolean wake();
}
