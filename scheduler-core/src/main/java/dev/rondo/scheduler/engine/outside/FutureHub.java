package dev.rondo.scheduler.engine.outside;

import com.google.common.collect.MapMaker;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.engine.ExternalWork;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.TaskCore;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// All waits of one scheduler for one future. These waits share one callback.
///
/// The future may live longer than the scheduler. It refers to this hub, and the hub refers to the
/// scheduler only while tasks wait.
///
/// Confined to the loop, except where a field says otherwise.
final class FutureHub<T extends @Nullable Object> {

  private final WaitQueue<T> waiting = new WaitQueue<>();

  /// Counts the waits as work of other threads; null if tasks of this scheduler complete the
  /// future.
  private final @Nullable ExternalWork work;

  /// Whether the callback is registered.
  private boolean begun;

  /// The loop while tasks wait; null otherwise. The loop writes it before it reads `done`. The
  /// thread that completes the future writes `done` before it reads this field. So at least one of
  /// the two threads sees the write of the other.
  private volatile @Nullable Loop loop;

  /// Whether the future has called back. Publishes the two fields below.
  private volatile boolean done;

  private @Nullable T value;
  private @Nullable Throwable failure;

  private FutureHub(@Nullable ExternalWork work) {
    this.work = work;
  }

  /// The hubs of a scheduler, by future. The map does not keep the futures in memory.
  private record All(Map<Object, FutureHub<?>> hubs) {}

  /// The hub of a future in a scheduler. The first call makes it.
  ///
  /// @param outside whether other threads complete the future; the same in each call for one future
  @SuppressWarnings("unchecked") // the hub of a future delivers the type of the future
  static <T extends @Nullable Object> FutureHub<T> of(Loop loop, Object future, boolean outside) {
    All all = loop.room(All.class, () -> new All(new MapMaker().weakKeys().makeMap()));
    return (FutureHub<T>)
        all.hubs.computeIfAbsent(
            future, any -> new FutureHub<T>(outside ? loop.externalWork : null));
  }

  /// @param task the future, if it is a task
  void add(
      Waiter<? super T> waiter,
      Loop home,
      FutureCompletion.Source<T> source,
      @Nullable TaskCore<?> task) {
    waiting.add(waiter);
    if (work != null) {
      work.waitBegun();
    }
    loop = home;
    if (done) {
      postFiring(home, task);
    } else if (!begun) {
      begun = true;
      try {
        source.begin((result, cause) -> completed(result, cause, task));
      } catch (Throwable e) {
        begun = false;
        remove(waiter);
        throw e;
      }
    }
  }

  void remove(Waiter<?> waiter) {
    if (waiting.remove(waiter)) {
      waitEnded();
      if (waiting.isEmpty()) {
        loop = null;
      }
    }
  }

  private void waitEnded() {
    if (work != null) {
      work.waitEnded();
    }
  }

  /// The future's callback. Any thread.
  ///
  /// @return whether any task waits
  private synchronized boolean completed(
      @Nullable T result, @Nullable Throwable cause, @Nullable TaskCore<?> task) {
    if (done) { // a foreign future may call back twice
      return false;
    }
    value = result;
    failure =
        cause instanceof CompletionException && cause.getCause() != null
            ? cause.getCause() // a dependent stage wraps its failure
            : cause;
    done = true;
    Loop home = loop;
    if (home != null) {
      postFiring(home, task);
    }
    return home != null;
  }

  /// The posted entry has the task, because the hub must not keep it in memory.
  private void postFiring(Loop home, @Nullable TaskCore<?> task) {
    boolean _ = home.post(() -> fireAll(task)); // refused: the scheduler is closed
  }

  @SuppressWarnings("NullAway") // without a failure the value is of type T
  private void fireAll(@Nullable TaskCore<?> task) {
    if (!done) {
      return; // an earlier entry has fired all waiters
    }
    boolean received = false;
    for (Waiter<? super T> each; (each = waiting.poll()) != null; ) {
      waitEnded();
      received |= failure == null ? each.fire(value) : each.fail(failure);
    }
    loop = null;
    if (task != null && received) {
      var _ = task.taken();
    } else if (task != null) {
      task.givenUp();
    }
    forget();
  }

  /// Drops the outcome, because all waiters have received it. The next wait asks the future again.
  private synchronized void forget() {
    begun = false;
    done = false;
    value = null;
    failure = null;
  }
}
