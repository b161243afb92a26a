package dev.rondo.application;

import com.google.common.util.concurrent.AbstractFuture;
import com.google.common.util.concurrent.ListenableScheduledFuture;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.time.Timer;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// What a [TaskExecutor] was given to run, and the future of it. Any thread, but for what says
/// *loop*.
final class Job<V extends @Nullable Object> extends AbstractFuture<V>
    implements RunnableFuture<V>, ListenableScheduledFuture<V> {

  /// When it runs, and what of it is seen.
  enum Kind {
    /// At once; who gave it has no future, so its failure is the task's.
    COMMAND,
    /// At once, or once later.
    ONCE,
    /// At start + delay + n * period; what was missed is made up for.
    FIXED_RATE,
    /// Again, a period after the end of the run before.
    FIXED_DELAY
  }

  final Kind kind;
  final Runnable original;
  final long deadlineNanos;
  final long periodNanos;
  private final TaskExecutor executor;
  private final Callable<V> callable;

  /// Loop.
  @Nullable Timer timer;

  /// Whose turns it takes: to be cancelled with it. Loop.
  @Nullable Task<?> task;

  /// @param original what `shutdownNow` answers; null for the job itself
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

  boolean belongsTo(TaskExecutor other) {
    return executor == other;
  }

  /// Runs it, once or for one period, in the calling task: which is not always one of ours, as
  /// `invokeAny` and the like have a job run by another one. Outside of the loop as well: what
  /// `shutdownNow` answered is for anybody to run.
  @Override
  public void run() {
    if (isDone()) {
      return;
    }
    Task<?> current = executor.currentTask();
    if (current != null) {
      task = current;
    }
    try {
      V value = callable.call();
      if (!isPeriodic()) {
        set(value);
      }
    } catch (TaskCancelled e) {
      cancel(false);
      throw e;
    } catch (Throwable e) {
      setException(e);
      if (kind == Kind.COMMAND) { // a checked one may have come through as well
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
  public long getDelay(TimeUnit unit) {
    return unit.convert(deadlineNanos - executor.nowNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public int compareTo(Delayed other) {
    return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
  }
}
