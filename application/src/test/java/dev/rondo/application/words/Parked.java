package dev.rondo.application.words;

import dev.rondo.application.Application;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskState;

/// Gives other tasks their turns.
final class Parked {

  /// Enough turns for the effect of any event.
  private static final int TURNS = 300;

  private Parked() {}

  /// Returns when the task waits or has ended, and fails if it does neither.
  static void await(Application app, Task<?> task) {
    settle(app, task);
    if (task.taskState() == TaskState.READY) {
      throw new AssertionError("does not come to wait: " + task);
    }
  }

  /// Gives turns until the task has ended, or has had every chance to.
  static void settle(Application app, Task<?> task) {
    for (int i = 0; i < TURNS && !task.isDone(); i++) {
      app.yield();
    }
  }
}
