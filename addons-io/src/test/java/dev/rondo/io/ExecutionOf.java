package dev.rondo.io;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskFailedException;

/// The failure of a task that was joined.
final class ExecutionOf extends Exception {

  private static final long serialVersionUID = 1L;

  private ExecutionOf(Throwable cause) {
    super(cause);
  }

  static void join(Task<?> task) throws ExecutionOf {
    try {
      task.join();
    } catch (TaskFailedException e) {
      throw new ExecutionOf(e.getCause());
    }
  }
}
