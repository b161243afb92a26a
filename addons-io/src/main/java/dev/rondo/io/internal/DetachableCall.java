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

/// A blocking call at a time, for what cannot be called off: reading a pipe, the terminal, a watch.
/// A task that leaves while its call is under way loses nothing, for who comes next gets what it
/// brings. The thread is one of its own and ends when it has had nothing to do for a while.
///
/// Confined to the scheduler's thread.
///
/// @param <T> what a call brings
public final class DetachableCall<T extends @Nullable Object> {

  private static final int IDLE_SECONDS = 5;

  /// How a call ended.
  private record Ended<T extends @Nullable Object>(T value, @Nullable Exception failure) {}

  private final Scheduler scheduler;
  private final String name;
  private final ThreadPoolExecutor thread;

  /// The call under way, or one whose end nobody has seen; null if there is none.
  private @Nullable CompletableFuture<Ended<T>> pending;

  /// Who waits for it; null if whoever began it has left.
  private @Nullable Task<?> waiting;

  /// What calls are told from when this is closed.
  private @Nullable Supplier<? extends Exception> closed;

  /// Nothing is under way.
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

  /// Waits for the call that is under way, or else for this one. *Always* a suspension point.
  ///
  /// @param call blocks, elsewhere
  /// @return what it brought
  /// @throws IllegalStateException if another task waits for it: both would get the same
  /// @throws Exception whatever the call threw; if this is closed, what is told of that
  public T call(Callable<? extends T> call) throws Exception {
    scheduler.host().checkThread();
    Task<?> other = waiting;
    if (other != null) {
      throw new IllegalStateException(
          "%s: task '%s' is at it already, and there can be one at a time"
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
    } while (!mine.isDone()); // scheduled directly: there is nothing to return yet
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

  /// {@return whether a call is under way, or its end was not seen} Never a suspension point.
  public boolean isPending() {
    return pending != null;
  }

  /// Interrupts the call under way, tells whoever waits for it, and lets the thread end. Never a
  /// suspension point.
  ///
  /// @param why what is told, and later calls are
  public void close(Supplier<? extends Exception> why) {
    closed = why;
    failWaiter(); // before the call ends by the interrupt
    thread.shutdownNow();
  }

  /// Lets the thread end after the call under way, whose waiter gets what it brings. Never a
  /// suspension point.
  ///
  /// @param why what later calls are told
  public void shutdown(Supplier<? extends Exception> why) {
    closed = why;
    thread.shutdown();
  }

  /// [#shutdown(Supplier)] when the thread has done one thing more. Nothing happens if this is
  /// closed.
  ///
  /// @param why what later calls are told
  /// @param last blocks, on the thread
  public void shutdown(Supplier<? extends Exception> why, Runnable last) {
    if (!thread.isShutdown()) {
      thread.execute(last);
      shutdown(why);
    }
  }

  /// Tells whoever waits for a call that this is closed, at once, since what is under way may never
  /// end. Never a suspension point.
  public void failWaiter() {
    if (pending != null && closed != null) {
      pending.complete(failed(closed.get()));
    }
  }
}
