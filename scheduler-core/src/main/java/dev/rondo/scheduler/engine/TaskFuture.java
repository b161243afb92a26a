package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.addon.LoopFuture;
import org.jspecify.annotations.Nullable;

/// The end of a task as a future of the JDK. Its methods throw if they would block the thread on
/// which the task runs. Any thread.
final class TaskFuture<T extends @Nullable Object> extends LoopFuture<T> {

  /// Null when the task has ended, because a program may keep the future for long.
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
