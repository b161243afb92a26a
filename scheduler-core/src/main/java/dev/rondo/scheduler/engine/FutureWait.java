package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Something that other threads complete: a stage, a future, a call made elsewhere. Each wait
/// begins it with a callback; the callback comes back through the inbox.
final class FutureWait<T extends @Nullable Object> implements Waitable<T> {

  /// How a wait begins.
  @FunctionalInterface
  interface Source<T extends @Nullable Object> {

    /// Begins one wait.
    ///
    /// @param callback takes the value, or a failure that is not null; any thread, once
    /// @return run on the loop when the wait is given up
    Runnable begin(BiConsumer<? super T, ? super @Nullable Throwable> callback);
  }

  /// One wait on its way. Confined to the loop, but for the result, which the inbox publishes.
  private static final class Pending<T extends @Nullable Object> extends Inbox.Entry {

    /// Set by whichever thread completes it first; an entry must not be posted twice.
    private final AtomicBoolean told = new AtomicBoolean();

    /// Null when no task waits any more. The source may hold this object for much longer.
    private @Nullable Waiter<? super T> waiter;

    private @Nullable Runnable forget;
    private @Nullable T value;
    private @Nullable Throwable failure;

    /// Where the scheduler counts it.
    private final ExternalWork work;

    Pending(Waiter<? super T> waiter, ExternalWork work) {
      this.waiter = waiter;
      this.work = work;
      work.waitBegun();
    }

    /// No task waits for it any more.
    void giveUp() {
      waiter = null;
      work.waitEnded();
    }

    @Override
    @SuppressWarnings("NullAway") // without a failure the value is one of T
    void deliver() {
      Waiter<? super T> told = waiter;
      if (told == null) {
        return;
      }
      waiter = null;
      work.waitEnded();
      if (failure == null) {
        told.fire(value);
      } else {
        told.fail(failure);
      }
    }
  }

  private final String name;
  private final Source<T> source;

  FutureWait(String name, Source<T> source) {
    this.name = name;
    this.source = source;
  }

  @Override
  public void arm(Waiter<? super T> waiter) {
    Loop loop = WaiterCore.loopOf(waiter);
    var pending = new Pending<T>(waiter, loop.externalWork());
    waiter.attach(pending);
    try {
      pending.forget =
          source.begin((value, failure) -> {
            if (!pending.told.compareAndSet(false, true)) {
              return; // a foreign source that tells twice
            }
            pending.value = value;
            pending.failure = unwrapped(failure);
            boolean _ = loop.post(pending); // refused: the scheduler is closed
          });
    } catch (Throwable e) {
      pending.giveUp();
      throw e;
    }
  }

  @Override
  public void disarm(Waiter<? super T> waiter) {
    if (waiter.attachment() instanceof Pending<?> pending && pending.waiter != null) {
      pending.giveUp();
      Runnable forget = pending.forget;
      if (forget != null) {
        forget.run();
      }
    }
  }

  /// A dependent stage wraps its failure; the cause is what happened.
  private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  @Override
  public String toString() {
    return name;
  }
}
