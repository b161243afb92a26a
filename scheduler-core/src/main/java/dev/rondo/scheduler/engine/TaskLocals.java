package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskLocal;
import org.jspecify.annotations.Nullable;

/// Where the bindings of [TaskLocal]s are kept: with the task, in pairs of the local and its value.
public final class TaskLocals {

  private TaskLocals() {}

  /// {@return the task that has the turn on this thread; null if none has}
  public static @Nullable Task<?> currentTask() {
    Loop loop = CurrentLoop.get();
    return loop == null ? null : loop.runningTask();
  }

  /// {@return the bindings of a task; null if it has none}
  public static @Nullable Object @Nullable [] of(Task<?> task) {
    TaskCore<?> core = TaskCore.of(task);
    return of(core);
  }

  /// Replaces the bindings of a task.
  public static void bind(Task<?> task, @Nullable Object @Nullable [] bindings) {
    TaskCore<?> core = TaskCore.of(task);
    bind(core, bindings);
  }

  static @Nullable Object @Nullable [] of(TaskCore<?> task) {
    TaskExtras has = task.extras;
    return has == null ? null : has.locals;
  }

  static void bind(TaskCore<?> task, @Nullable Object @Nullable [] bindings) {
    TaskExtras has = task.extras;
    if (bindings != null) {
      task.extras().locals = bindings;
    } else if (has != null) {
      has.locals = null;
    }
  }
}
