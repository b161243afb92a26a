package dev.rondo.io.internal;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Makes one blocking call at a time that cannot be cancelled: reading a pipe, the terminal, a
/// watch. If a task leaves while its call is pending, nothing is lost, because the next caller
/// receives the result. The calls have a thread of their own, which ends after a while without
/// calls.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the result of a call
public final class DetachableCall<T extends @Nullable Object> {

  private static final int IDLE_SECONDS = 5;

  /// How a call ended.
  private record Ended<T extends @Nullable Object>(T value, @Nullable Exception failure) {}

  private final Scheduler scheduler;
  private final String name;
  private final ThreadPoolExecutor thread;

  /// The pending call, or one whose result no task has taken; null if there is none.
  private @Nullable CompletableFuture<Ended<T>> pending;

  /// The task that waits for it; null if that task has left.
  private @Nullable Task<?> waiting;

  /// Creates the exception of calls after this was closed; null while it is open.
  private @Nullable Supplier<? extends Exception> closed;

  /// No call is pending yet.
  ///
  /// @param scheduler whose tasks wait
  /// @param name of the thread
  public DetachableCall(Scheduler scheduler, String name) {
    this.scheduler = scheduler;
    this.name = name;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            body ->
                Thread.ofPlatform()
                    .name(name)
                    .daemon()
                    .inheritInheritableThreadLocals(false)
                    .unstarted(body));
    thread.allowCoreThreadTimeOut(true);
  }

  /// Waits for the pending call, or makes this one. *Always* a suspension point.
  ///
  /// @param call blocks, on the thread
  /// @return its result
  /// @throws IllegalStateException if another task waits for it, because both would receive the
  ///   same result
  /// @throws Exception as the call; if this is closed, the exception for that
  public T call(Callable<? extends T> call) throws Exception {
    scheduler.host().checkThread();
    Task<?> other = waiting;
    if (other != null) {
      throw new IllegalStateException(
          "%s: task '%s' is doing this already, and only one task may at a time"
              .formatted(name, other.name()));
    }
    waiting = scheduler.currentTask();
    try {
      return called(call);
    } finally {
      waiting = null;
    }
  }

  private T called(Callable<? extends T> call) throws Exception {
    CompletableFuture<Ended<T>> mine = pending;
    if (mine == null) {
      if (closed != null) {
        throw closed.get();
      }
      mine = start(call);
      pending = mine;
    }
    do {
      scheduler.await(scheduler.completion(mine));
    } while (!mine.isDone()); // the task was scheduled directly: nothing to return yet
    if (pending == mine) {
      pending = null;
    }
    Ended<T> ended = mine.join();
    if (ended.failure() != null) {
      throw ended.failure();
    }
    return ended.value();
  }

  private CompletableFuture<Ended<T>> start(Callable<? extends T> call) {
    var started = new CompletableFuture<Ended<T>>();
    thread.execute(() -> {
      Ended<T> ended;
      try {
        ended = new Ended<>(call.call(), null);
      } catch (Exception e) {
        ended = failed(e);
      } catch (Error e) {
        started.completeExceptionally(e);
        return;
      }
      started.complete(ended);
    });
    return started;
  }

  @SuppressWarnings("NullAway") // no value goes with a failure
  private static <T extends @Nullable Object> Ended<T> failed(Exception failure) {
    return new Ended<>(null, failure);
  }

  /// Waits until no task waits for a call. A *possible* suspension point.
  public void awaitNoWaiter() {
    scheduler.host().checkThread();
    while (waiting != null && pending != null) {
      scheduler.await(scheduler.completion(pending));
    }
  }

  /// {@return whether a call is pending, or its result was not taken} Never a suspension point.
  public boolean isPending() {
    return pending != null;
  }

  /// Interrupts the pending call, fails the task that waits for it, and lets the thread end. Never
  /// a suspension point.
  ///
  /// @param why creates the exception of that task and of later calls
  public void close(Supplier<? extends Exception> why) {
    closed = why;
    failWaiter(); // before the call ends by the interrupt
    thread.shutdownNow();
  }

  /// Lets the thread end after the pending call, whose waiter receives the result. Never a
  /// suspension point.
  ///
  /// @param why creates the exception of later calls
  public void shutdown(Supplier<? extends Exception> why) {
    closed = why;
    thread.shutdown();
  }

  /// [#shutdown(Supplier)] after the thread has run one more action. Has no effect if this is
  /// closed.
  ///
  /// @param why creates the exception of later calls
  /// @param last blocks, on the thread
  public void shutdown(Supplier<? extends Exception> why, Runnable last) {
    if (!thread.isShutdown()) {
      thread.execute(last);
      shutdown(why);
    }
  }

  /// Fails the task that waits for a call at once, because the pending call may never end. Has no
  /// effect if this is not closed. Never a suspension point.
  public void failWaiter() {
    if (pending != null && closed != null) {
      pending.complete(failed(closed.get()));
    }
  }
}
