package dev.rondo.scheduler;

import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Intercepts the end of a task: see [Task#trap(Trap)].
///
/// @param <T> the type of the result of the task
@FunctionalInterface
public interface Trap<T extends @Nullable Object> {

  /// Receives the outcome of the task, and returns the outcome that joining tasks receive. Runs
  /// once, on the scheduler's thread, after the `finally` blocks of the task. Must not suspend. If
  /// the trap throws, the task fails with that exception, and an earlier failure is suppressed in
  /// it.
  ///
  /// @param task the task that has ended
  /// @param outcome how it ended
  /// @return the outcome that joining tasks receive, not null; the same outcome to change nothing
  /// @throws Exception the task fails with it
  Outcome<T> settle(Task<T> task, Outcome<T> outcome) throws Exception;

  /// {@return a trap that turns a failure (not a cancellation) into a value}
  ///
  /// @param <T> the type of the result
  /// @param recovery makes the value from the failure
  static <T extends @Nullable Object> Trap<T> recover(
      Function<? super Throwable, ? extends T> recovery) {
    Objects.requireNonNull(recovery, "recovery is null");
    return (task, outcome) ->
        outcome instanceof Outcome.Failure<T> failure
            ? new Outcome.Success<>(recovery.apply(failure.cause()))
            : outcome;
  }

  /// {@return a trap that changes nothing: a finalizer}
  ///
  /// @param <T> the type of the result
  /// @param action receives every outcome
  static <T extends @Nullable Object> Trap<T> onEnd(Consumer<? super Outcome<T>> action) {
    Objects.requireNonNull(action, "action is null");
    return (task, outcome) -> {
      action.accept(outcome);
      return outcome;
    };
  }
}
