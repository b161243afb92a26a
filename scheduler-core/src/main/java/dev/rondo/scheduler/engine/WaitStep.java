package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.Source;
import org.jspecify.annotations.Nullable;

/// A wait that needs more steps than a wait for one event: a seam for choices, changed values, the
/// ends of groups, and futures.
///
/// The engine *prepares* such a wait, and polls and arms the result. When the wait is settled, the
/// engine *finishes* it in the task.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the type of the result of the wait
public abstract class WaitStep<T extends @Nullable Object> implements Source<T> {

  /// Prepares this waitable for one wait of a task. Runs user code in that task.
  ///
  /// @return the waitable to poll and to arm
  /// @throws IllegalStateException if it belongs to another scheduler
  public Waitable<T> prepared(Task<?> task) {
    return this;
  }

  /// Makes the value of the wait from the value with which the waiter was fired. Runs user code in
  /// the waiting task.
  @SuppressWarnings({"unchecked", "NullAway"}) // it was fired with a value of its type T
  public T finish(@Nullable Object raw) {
    return (T) raw;
  }

  /// {@return whether the part that has delivered a value is [eager][#isEager()]}
  public boolean wasEager(@Nullable Object raw) {
    return isEager();
  }

  /// {@return [#isEager()] of any event}
  ///
  /// @param waitable a source or not
  public static boolean isEager(Waitable<?> waitable) {
    return !(waitable instanceof Source<?> source) || source.isEager();
  }
}
