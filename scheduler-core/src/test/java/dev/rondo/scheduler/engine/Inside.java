package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskGroup;
import org.jspecify.annotations.Nullable;

/// What tests of the faces look up inside of the engine.
public final class Inside {

  private Inside() {}

  /// {@return what the task locals of a task are bound to}
  public static @Nullable Object @Nullable [] localsOf(Task<?> task) {
    return TaskLocals.of(task);
  }

  /// {@return whether a task has had a turn}
  public static boolean hasBegun(Task<?> task) {
    return TaskCore.of(task).entered;
  }

  /// {@return the group that a task is to end in; null if there is none}
  public static @Nullable TaskGroup<?> groupOf(Task<?> task) {
    return TaskCore.of(task).group;
  }

  /// {@return whether the current turn may do no more operations at once}
  public static boolean isTurnSpent(Task<?> task) {
    return TaskCore.of(task).loop.eagerBudget <= 0;
  }
}
