package dev.rondo.scheduler;

import org.jspecify.annotations.Nullable;

/// How a task ended. Immutable if the value is. Any thread.
///
/// @param <T> the type of the result of the task
public sealed interface Outcome<T extends @Nullable Object> {

  /// {@return the state of a task with this outcome}
  TaskState state();

  /// The task returned.
  ///
  /// @param <T> the type of the result
  /// @param value what it returned
  record Success<T extends @Nullable Object>(T value) implements Outcome<T> {
    @Override
    public TaskState state() {
      return TaskState.SUCCEEDED;
    }
  }

  /// The task threw.
  ///
  /// @param <T> the type of the result
  /// @param cause what it threw
  record Failure<T extends @Nullable Object>(Throwable cause) implements Outcome<T> {
    @Override
    public TaskState state() {
      return TaskState.FAILED;
    }
  }

  /// The task ended by cancellation.
  ///
  /// @param <T> the type of the result
  /// @param cause shows the canceller, the reason and the place
  record Cancelled<T extends @Nullable Object>(TaskCancelled cause) implements Outcome<T> {
    @Override
    public TaskState state() {
      return TaskState.CANCELLED;
    }
  }
}
