package dev.rondo.scheduler;

import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Intercepts the end of a task: see [Task#trap(Trap)].
///
/// @param <T> what the task results in
@FunctionalInterface
public interface Trap<T extends @Nullable Object> {

  /// Sees the outcome and answers the one that everybody who joins will see. Runs once, on the
  /// scheduler's thread, after the task's `finally` blocks; must not suspend. If it throws, the
  /// task fails with that, the earlier failure suppressed in it.
  ///
  /// @param task the task that has ended
  /// @param outcome how
  /// @return the outcome that everybody else sees, not null; the same to change nothing
  /// @throws Exception the task fails with it
  Outcome<T> settle(Task<T> task, Outcome<T> outcome) throws Exception;

  /// {@return a trap that turns a failure (not a cancellation) into a value}
  ///
  /// @param <T> what it results in
  /// @param recovery what to answer for a failure
  static <T extends @Nullable Object> Trap<T> recover(
      Function<? super Throwable, ? extends T> recovery) {
    return (task, outcome) ->
        outcome instanceof Outcome.Failure<T> failure
            ? new Outcome.Success<>(recovery.apply(failure.cause()))
            : outcome;
  }

  /// {@return a trap that looks on and changes nothing: a finalizer}
  ///
  /// @param <T> what it results in
  /// @param action told of the outcome, whatever it is
  static <T extends @Nullable Object> Trap<T> onEnd(Consumer<? super Outcome<T>> action) {
    return (task, outcome) -> {
      action.accept(outcome);
      return outcome;
    };
  }
}
