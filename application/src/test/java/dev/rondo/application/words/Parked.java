package dev.rondo.application.words;

import dev.rondo.application.Application;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskState;

/// Gives other tasks their turns.
final class Parked {

  /// As many turns as any event needs to have its effect.
  private static final int TURNS = 300;

  private Parked() {}

  /// Until the task waits, or has ended.
  static void await(Application app, Task<?> task) {
    settle(app, task);
    if (task.taskState() == TaskState.READY) {
      throw new AssertionError("does not come to wait: " + task);
    }
  }

  /// Until the task has ended, or waits on.
  static void settle(Application app, Task<?> task) {
    for (int i = 0; i < TURNS && !task.isDone(); i++) {
      app.yield();
    }
  }
}
