package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.addon.LoopFuture;
import org.jspecify.annotations.Nullable;

/// The end of a task as a future of the JDK. It refuses to block the thread on which the task is to
/// end. Any thread.
final class TaskFuture<T extends @Nullable Object> extends LoopFuture<T> {

  /// Null when it has ended: a future may be kept for long.
  private volatile @Nullable TaskResult<T> task;

  TaskFuture(TaskResult<T> task) {
    this.task = task;
  }

  /// The task has ended.
  void copy(TaskResult<T> ended) {
    ended.copyTo(this);
    task = null;
  }

  @Override
  protected void requireMayBlock(String call) {
    TaskResult<T> awaited = task;
    if (awaited != null) {
      awaited.requireMayBlock(call);
    }
  }
}
