package dev.rondo.scheduler.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The end of a task as a future of the JDK. It refuses to block the thread on which the task is to
/// end. Any thread.
final class TaskFuture<T extends @Nullable Object> extends CompletableFuture<T> {

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
  public T join() {
    requireMayBlock("join");
    return super.join();
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    requireMayBlock("get");
    return super.get();
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    requireMayBlock("get");
    return super.get(timeout, unit);
  }

  private void requireMayBlock(String call) {
    TaskResult<T> awaited = task;
    if (awaited != null && !isDone()) {
      awaited.requireMayBlock(call);
    }
  }
}
