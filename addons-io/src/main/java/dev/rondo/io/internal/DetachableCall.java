package dev.rondo.io.internal;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
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
  private record Ended<T extends @Nullable Object>(T value, @Nullable Throwable failure) {

    /// Returns or throws what the call did.
    T get() throws Exception {
      if (failure != null) {
        throw Throwables.<Exception>rethrow(failure);
      }
      return value;
    }
  }

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
  /// @param name names the called stream or device in messages; the thread's name is `rondo-` and
  ///   this name
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
                    .name("rondo-" + name)
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
    requireNoWaiter();
    waiting = scheduler.currentTask();
    try {
      return called(call);
    } finally {
      waiting = null;
    }
  }

  private void requireNoWaiter() {
    scheduler.host().checkThread();
    Task<?> other = waiting;
    if (other != null) {
      throw new IllegalStateException(
          "%s: task '%s' is doing this already, and only one task may at a time"
              .formatted(name, other.name()));
    }
  }

  private T called(Callable<? extends T> call) throws Exception {
    CompletableFuture<Ended<T>> mine = begun(call);
    var _ = scheduler.host().awaitEvent(scheduler.completion(mine));
    if (pending == mine) {
      pending = null;
    }
    return mine.join().get();
  }

  /// The pending call, or this one.
  private CompletableFuture<Ended<T>> begun(Callable<? extends T> call) throws Exception {
    CompletableFuture<Ended<T>> mine = pending;
    if (mine == null) {
      if (closed != null) {
        throw closed.get();
      }
      mine = start(call);
      pending = mine;
    }
    return mine;
  }

  private CompletableFuture<Ended<T>> start(Callable<? extends T> call) {
    var started = new NamedFuture<Ended<T>>(name);
    thread.execute(() -> {
      Ended<T> ended;
      try {
        ended = new Ended<>(call.call(), null);
      } catch (Throwable e) {
        ended = failed(e);
      }
      started.complete(ended);
    });
    return started;
  }

  @SuppressWarnings("NullAway") // no value goes with a failure
  private static <T extends @Nullable Object> Ended<T> failed(Throwable failure) {
    return new Ended<>(null, failure);
  }

  /// Begins this call unless one is pending. Never a suspension point.
  ///
  /// @param call blocks, on the thread
  /// @throws Exception if this is closed, the exception for that
  public void begin(Callable<? extends T> call) throws Exception {
    begun(call);
  }

  /// {@return the result of the pending call if it has ended and no task waits for it; otherwise
  /// null} Never a suspension point.
  ///
  /// @throws Exception as the call
  public @Nullable T takeNow() throws Exception {
    CompletableFuture<Ended<T>> mine = pending;
    if (mine == null || waiting != null || !mine.isDone()) {
      return null;
    }
    pending = null;
    return mine.join().get();
  }

  /// {@return a wait for a call, to be awaited as a branch of a choice} The wait returns an action
  /// that returns or throws the call's outcome. A lost wait takes nothing: the next wait, or
  /// [#call], returns the result.
  ///
  /// @param call blocks, on the thread; made when the wait is armed
  /// @param there the result if there is one at once, on the loop's thread; null if not
  public Waitable<Callable<T>> calling(
      Callable<? extends T> call, Supplier<? extends @Nullable T> there) {
    return Waitable.guard(() -> {
      requireNoWaiter();
      var wait = new CallWait(call, there);
      return wait.map(wait::taken);
    });
  }

  private final class CallWait implements Waitable<Ended<T>> {

    private final Callable<? extends T> call;
    private final Supplier<? extends @Nullable T> there;

    /// Null while this is not armed.
    private @Nullable Waitable<Ended<T>> armed;

    private @Nullable CompletableFuture<Ended<T>> mine;

    CallWait(Callable<? extends T> call, Supplier<? extends @Nullable T> there) {
      this.call = call;
      this.there = there;
    }

    @Override
    public boolean poll(Waiter<? super Ended<T>> waiter) {
      requireNoWaiter();
      CompletableFuture<Ended<T>> ended = pending;
      if (ended == null && closed == null) {
        T found = there.get();
        if (found != null) {
          ended = CompletableFuture.completedFuture(new Ended<>(found, null));
          pending = ended;
        }
      }
      mine = ended;
      return ended != null && ended.isDone() && waiter.fire(ended.join());
    }

    @Override
    public void arm(Waiter<? super Ended<T>> waiter) {
      requireNoWaiter();
      CompletableFuture<Ended<T>> begun;
      try {
        begun = begun(call);
      } catch (Exception e) {
        throw Throwables.<RuntimeException>rethrow(e);
      }
      waiting = waiter.task();
      mine = begun;
      Waitable<Ended<T>> completion = scheduler.completion(begun);
      armed = completion;
      completion.arm(waiter);
    }

    @Override
    public void disarm(Waiter<? super Ended<T>> waiter) {
      Waitable<Ended<T>> left = armed;
      if (left != null) {
        armed = null;
        waiting = null;
        left.disarm(waiter);
      }
    }

    /// In the waiting task, which has won.
    Callable<T> taken(Ended<T> ended) {
      if (armed != null) {
        armed = null;
        waiting = null;
      }
      if (pending == mine) {
        pending = null;
      }
      return ended::get;
    }

    @Override
    public Scheduler scheduler() {
      return scheduler;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /// {@return a wait until no call is under way} It takes no result.
  public Waitable<@Nullable Void> idle() {
    return Waitable.guard(() -> {
      CompletableFuture<Ended<T>> mine = pending;
      return mine == null || mine.isDone()
          ? Waitable.<@Nullable Void>always(null)
          : scheduler.completion(mine).<@Nullable Void>map(ignored -> null);
    });
  }

  /// Waits until no task waits for a call. A *possible* suspension point.
  public void awaitNoWaiter() {
    scheduler.host().checkThread();
    while (waiting != null && pending != null) {
      var _ = scheduler.host().awaitEvent(scheduler.completion(pending));
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

  /// Fails the task that waits for a call at once, because the pending call may never end. If it
  /// has just ended, perhaps for the same reason as the closing, its result is dropped. Has no
  /// effect if this is not closed. Never a suspension point.
  public void failWaiter() {
    if (pending != null && closed != null) {
      pending.obtrudeValue(failed(closed.get()));
    }
  }
}
