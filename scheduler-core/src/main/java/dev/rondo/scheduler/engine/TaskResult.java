package dev.rondo.scheduler.engine;

import com.google.common.util.concurrent.ListenableFuture;
import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The result of a [Task], for joining tasks, waiting threads and listeners.
///
/// @param <T> the type of the result of the task
abstract sealed class TaskResult<T extends @Nullable Object> extends Completion<T>
    implements ListenableFuture<T>, Waitable<T> permits TaskResumption {

  private static final Outcome<@Nullable Object> NOTHING = new Outcome.Success<>(null);

  /// The loop of the task's scheduler.
  public final Loop loop;

  /// Its joiners: null, one [Waiter], or a [WaitQueue] of several.
  private @Nullable Object joiners;

  TaskResult(Loop loop) {
    this.loop = loop;
  }

  /// Tasks without a result share one outcome.
  @SuppressWarnings("unchecked")
  public static <T extends @Nullable Object> Outcome<T> success(T value) {
    return value == null ? (Outcome<T>) NOTHING : new Outcome.Success<>(value);
  }

  final TaskCore<T> self() {
    return (TaskCore<T>) this;
  }

  // Joining.

  public final T join() {
    if (loop.isCaller()) {
      if (loop.currentTask() instanceof StackfulTask<?> current) {
        return current.awaitEvent(this);
      }
      if (!isDone()) {
        return joiner("join").awaitEvent(this); // throws: there is no task that could wait
      }
    } else if (!isDone()) {
      requireFreeLoop("join");
      awaitUninterruptibly();
    }
    return value();
  }

  @Override
  public final T get() throws InterruptedException, ExecutionException {
    if (!isDone()) {
      if (loop.isCaller()) {
        return getHere(task -> task.awaitEvent(this));
      }
      requireFreeLoop("get");
      awaitSettled();
    }
    return valueForFuture();
  }

  @Override
  public final T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, java.util.concurrent.TimeoutException {
    Objects.requireNonNull(unit, "unit is null");
    if (!isDone()) {
      if (loop.isCaller()) {
        Duration limit = Duration.ofNanos(Math.max(0, unit.toNanos(timeout)));
        try {
          return getHere(task -> task.awaitEvent(this, limit));
        } catch (TimedOutException e) {
          var timedOut = new java.util.concurrent.TimeoutException(e.getMessage());
          timedOut.initCause(e);
          throw timedOut;
        }
      }
      requireFreeLoop("get");
      if (!awaitSettled(timeout, unit)) {
        throw new java.util.concurrent.TimeoutException(
            "task '" + name() + "' has not ended within " + timeout + " " + unit);
      }
    }
    return valueForFuture();
  }

  /// Joins this task, and throws the exceptions of a `Future`.
  private T getHere(Function<StackfulTask<?>, T> join) throws ExecutionException {
    try {
      return join.apply(joiner("get"));
    } catch (TaskFailedException | CancellationException e) {
      if (!isDone()) {
        throw e;
      }
      return valueForFuture();
    }
  }

  /// The running task, which is about to wait for this one.
  private StackfulTask<?> joiner(String call) {
    if (!loop.hasCurrentTask()) {
      requireFreeLoop(call);
    }
    return loop.currentStackful(call);
  }

  /// @throws IllegalStateException if the caller would block the very thread on which this task is
  ///   to end
  private void requireFreeLoop(String call) {
    if (CurrentLoop.holdsUp(loop.thread) && CurrentLoop.get() != loop) {
      throw new IllegalStateException(
          "%s of task '%s' of another scheduler by %s would block the thread of both: await scheduler.completion(task) instead"
              .formatted(call, name(), CurrentLoop.describe()));
    }
  }

  /// Refuses a blocking call that would block the thread on which this task runs. On BOUND a task
  /// may make such a call for another task of its scheduler, because the call blocks only the task
  /// that makes it.
  final void requireMayBlock(String call) {
    requireFreeLoop(call);
    if (CurrentLoop.wouldBlock(loop)) {
      throw new IllegalStateException(
          "%s of the future of task '%s' by %s would block the thread on which that task is to end: join the task, or await scheduler.completion(task) instead"
              .formatted(call, name(), CurrentLoop.describe()));
    }
  }

  public final @Nullable Outcome<T> outcome() {
    return isDone() ? settled() : null;
  }

  @Override
  public final boolean isDone() {
    return isSettled();
  }

  @Override
  public final boolean isCancelled() {
    return isDone() && settled() instanceof Outcome.Cancelled<?>;
  }

  @Override
  public final void addListener(Runnable listener, Executor executor) {
    Objects.requireNonNull(listener, "listener is null");
    Objects.requireNonNull(executor, "executor is null");
    whenSettled(() -> {
      try {
        executor.execute(listener);
      } catch (Throwable e) {
        reportListener(e);
      }
    });
  }

  /// Passes the failure of a listener to the failure handler, on the handler's thread.
  private void reportListener(Throwable failure) {
    loop.report("listener of task '" + name() + "'", failure);
  }

  public final CompletableFuture<T> toCompletableFuture() {
    var future = new TaskFuture<T>(this);
    whenSettled(() -> future.copy(this));
    return future;
  }

  // Settling.

  /// Gives the outcome to all waiters and listeners.
  ///
  /// @return whether there were any
  final boolean settle(Outcome<T> outcome) {
    boolean listened = complete(outcome);
    boolean joined = joiners != null && fireJoiners(outcome);
    return listened || joined;
  }

  @SuppressWarnings("unchecked") // only waiters for our T are armed
  private boolean fireJoiners(Outcome<T> outcome) {
    Object waiting = joiners;
    joiners = null;
    if (waiting instanceof Waiter<?> one) {
      return Completion.fire(this, outcome, (Waiter<? super T>) one);
    }
    boolean fired = false;
    if (waiting instanceof WaitQueue<?> several) {
      for (Waiter<?> each; (each = several.poll()) != null; ) {
        fired |= Completion.fire(this, outcome, (Waiter<? super T>) each);
      }
    }
    return fired;
  }

  // Being awaited.

  @Override
  public final boolean poll(Waiter<? super T> waiter) {
    return isSettled() && Completion.fire(this, settled(), waiter);
  }

  @Override
  public final void arm(Waiter<? super T> waiter) {
    TaskCore<?> joiner = TaskCore.of(waiter.task());
    if (joiner.loop != loop) {
      throw new IllegalStateException(
          "task '"
              + joiner.name()
              + "' awaits task '"
              + name()
              + "' of another scheduler: await scheduler.completion(task) instead");
    }
    if (joiner == this) {
      throw new IllegalStateException("task '" + name() + "' awaits its own end");
    }
    if (!poll(waiter)) {
      addJoiner(waiter);
    }
  }

  @SuppressWarnings("unchecked") // only waiters for our T are armed
  private void addJoiner(Waiter<? super T> waiter) {
    if (joiners == null) {
      joiners = waiter;
    } else if (joiners instanceof WaitQueue<?> several) {
      ((WaitQueue<T>) several).add(waiter);
    } else {
      var several = new WaitQueue<T>();
      several.add((Waiter<? super T>) joiners);
      several.add(waiter);
      joiners = several;
    }
  }

  @Override
  public final void disarm(Waiter<? super T> waiter) {
    if (joiners == waiter) {
      joiners = null;
    } else if (joiners instanceof WaitQueue<?> several) {
      several.remove(waiter);
    }
  }

  @Override
  public final boolean isEager() {
    return false;
  }

  @Override
  public final TaskCore<?> holder() {
    return (TaskCore<T>) this;
  }
}
