package dev.rondo.application;

import com.google.common.util.concurrent.AbstractFuture;
import com.google.common.util.concurrent.ListenableScheduledFuture;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.internal.rooms.HeldFuture;
import dev.rondo.time.Timer;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A job of a [TaskExecutor], which is its own future. Any thread may use it, except for the
/// members documented with *loop*.
final class Job<V extends @Nullable Object> extends AbstractFuture<V>
    implements RunnableFuture<V>, ListenableScheduledFuture<V>, HeldFuture {

  /// The times at which a job runs, and the receiver of its failure.
  enum Kind {
    /// At once. The caller of `execute` has no future, so a failure is the task's failure.
    COMMAND,
    /// Once, at once or later.
    ONCE,
    /// At start + delay + n * period; missed runs are made up for.
    FIXED_RATE,
    /// A period after the end of each run.
    FIXED_DELAY
  }

  final Kind kind;
  final Runnable original;
  final long periodNanos;
  private final TaskExecutor executor;

  /// When the next run is due. Written by the loop; read by any thread.
  private volatile long deadlineNanos;

  /// Null when the job is done: a future may be kept for long.
  private @Nullable Callable<V> callable;

  /// Confined to the loop's thread.
  @Nullable Timer timer;

  /// The task that runs the job and is cancelled with it. Written by the loop.
  volatile @Nullable Task<?> task;

  /// @param original the object that `shutdownNow` returns; null for the job itself
  Job(
      TaskExecutor executor,
      Kind kind,
      Callable<V> callable,
      @Nullable Runnable original,
      long deadlineNanos,
      long periodNanos) {
    this.executor = executor;
    this.kind = kind;
    this.callable = callable;
    this.original = original == null ? this : original;
    this.deadlineNanos = deadlineNanos;
    this.periodNanos = periodNanos;
  }

  boolean isPeriodic() {
    return switch (kind) {
      case COMMAND, ONCE -> false;
      case FIXED_RATE, FIXED_DELAY -> true;
    };
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  /// Called when a run of a periodic job has ended. *Loop.*
  void planNextRun() {
    long from = kind == Kind.FIXED_RATE ? deadlineNanos : executor.nowNanos();
    deadlineNanos = from + periodNanos;
  }

  @Override
  public @Nullable Task<?> holder() {
    return task;
  }

  @Override
  public Scheduler scheduler() {
    return executor.scheduler();
  }

  boolean belongsTo(TaskExecutor other) {
    return executor == other;
  }

  /// Runs the job, once or for one period, in the calling task. That task need not be the
  /// executor's: `invokeAny` and similar methods run a job within another job. A caller of
  /// `shutdownNow` may run the returned jobs on any thread.
  @Override
  public void run() {
    Callable<V> code = callable;
    if (isDone() || code == null) {
      return;
    }
    Task<?> current = executor.currentTask();
    if (current != null) {
      task = current;
    }
    try {
      V value = code.call();
      if (!isPeriodic()) {
        set(value);
      }
    } catch (TaskCancelled e) {
      cancel(false);
      throw e;
    } catch (Throwable e) {
      setException(e);
      if (kind == Kind.COMMAND) { // a checked exception may have come through as well
        throw Job.<RuntimeException>rethrow(e);
      }
    } finally {
      if (current != null) {
        task = null;
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static <X extends Throwable> RuntimeException rethrow(Throwable failure) throws X {
    throw (X) failure;
  }

  @Override
  protected void afterDone() {
    callable = null;
    executor.settled(this, isCancelled() && wasInterrupted());
  }

  @Override
  public V get() throws InterruptedException, ExecutionException {
    executor.requireMayBlock(isDone(), "get()");
    return super.get();
  }

  @Override
  public V get(long timeout, TimeUnit unit)
      throws InterruptedException, TimeoutException, ExecutionException {
    executor.requireMayBlock(isDone(), "get(..)");
    return super.get(timeout, unit);
  }

  @Override
  public String toString() {
    return "a job of an executor service";
  }

  @Override
  public long getDelay(TimeUnit unit) {
    return unit.convert(deadlineNanos - executor.nowNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public int compareTo(Delayed other) {
    return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
  }
}
