package dev.rondo.scheduler.engine.outside;

import dev.rondo.scheduler.engine.TaskCore;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// The end of a task as a JDK future. The methods of the future throw if they would block the
/// thread on which the task runs. Any thread.
public final class TaskFuture<T extends @Nullable Object> extends GuardedFuture<T> {

  /// Null when the task has ended, because a program may keep the future for long.
  private volatile @Nullable TaskCore<T> task;

  private TaskFuture(TaskCore<T> task) {
    this.task = task;
  }

  public static <T extends @Nullable Object> CompletableFuture<T> of(TaskCore<T> task) {
    var future = new TaskFuture<T>(task);
    task.whenSettled(() -> {
      TaskGets.copy(task, future);
      future.task = null;
    });
    return future;
  }

  @Override
  protected void requireMayBlock(String call) {
    TaskCore<T> awaited = task;
    if (awaited != null) {
      TaskGets.requireMayBlock(awaited, call);
    }
  }
}
