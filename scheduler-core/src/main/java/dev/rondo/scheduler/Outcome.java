package dev.rondo.scheduler;

import org.jspecify.annotations.Nullable;

/// How a task ended.
///
/// @param <T> what the task results in
public sealed interface Outcome<T extends @Nullable Object> {

  /// {@return the state of a task that ended so}
  TaskState state();

  /// It returned.
  ///
  /// @param <T> what it results in
  /// @param value what it returned
  record Success<T extends @Nullable Object>(T value) implements Outcome<T> {
    @Override
    public TaskState state() {
      return TaskState.SUCCEEDED;
    }
  }

  /// It threw.
  ///
  /// @param <T> what it results in
  /// @param cause what it threw
  record Failure<T extends @Nullable Object>(Throwable cause) implements Outcome<T> {
    @Override
    public TaskState state() {
      return TaskState.FAILED;
    }
  }

  /// It ended by cancellation.
  ///
  /// @param <T> what it results in
  /// @param cause who cancelled it, why and where
  record Cancelled<T extends @Nullable Object>(TaskCancelled cause) implements Outcome<T> {
    @Override
    public TaskState state() {
      return TaskState.CANCELLED;
    }
  }
}
