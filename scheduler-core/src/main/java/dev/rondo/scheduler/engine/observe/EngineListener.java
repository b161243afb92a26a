package dev.rondo.scheduler.engine.observe;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.observe.TaskListener;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A listener of the engine's own. It does not block, and is called where the loop runs.
public interface EngineListener extends TaskListener {

  /// Called before actions that other threads have posted run, outside of tasks.
  default void beforeActions() {}

  /// Called when the actions have run.
  default void afterActions() {}

  /// {@return whether it sees nothing of a task but its turns} If so, its methods for turns must
  /// neither throw nor look at the loop, because they are called without precautions.
  default boolean seesTurnsOnly() {
    return false;
  }

  /// {@return whether it need not see each task} Then a task that ends in its first turn may never
  /// be made, and is not shown to it. One that is made in its turn is, from then on.
  default boolean allowsLazyTurns() {
    return false;
  }

  /// Called when the turn of a task that is not made begins.
  ///
  /// @param task describes the task that has the turn; any thread, and it may find none
  default void beforeLazyTurn(Supplier<? extends @Nullable Task<?>> task) {}

  /// Called when that turn is over and the task was not made.
  default void afterLazyTurn() {}
}
