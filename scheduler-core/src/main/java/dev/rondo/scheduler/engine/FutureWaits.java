package dev.rondo.scheduler.engine;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import dev.rondo.scheduler.Waitable;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// What a wait for a future is made of: a [SharedWait] if the future calls back, else a
/// [FutureWait].
final class FutureWaits {

  private FutureWaits() {}

  static <T extends @Nullable Object> Waitable<T> of(CompletionStage<T> stage) {
    return new SharedWait<>(stage, callback -> stage.whenComplete(callback));
  }

  static <T extends @Nullable Object> Waitable<T> of(ListenableFuture<T> future) {
    return new SharedWait<>(
        future,
        callback ->
            Futures.addCallback(
                future,
                new FutureCallback<T>() {
                  @Override
                  public void onSuccess(T result) {
                    callback.accept(result, null);
                  }

                  @Override
                  @SuppressWarnings("NullAway") // no value goes with a failure
                  public void onFailure(Throwable failure) {
                    callback.accept(null, failure);
                  }
                },
                MoreExecutors.directExecutor()));
  }

  /// Whatever kind of future it is; a plain one costs a virtual thread that blocks on it.
  @SuppressWarnings("unchecked")
  static <T extends @Nullable Object> Waitable<T> of(Future<T> future) {
    return switch (future) {
      case TaskCore<T> task -> of((CompletionStage<T>) task.toCompletableFuture());
      case CompletionStage<?> stage -> of((CompletionStage<T>) stage);
      case ListenableFuture<T> listenable -> of(listenable);
      default -> call("completion of " + future, () -> FutureValue.of(future));
    };
  }

  /// A call made on a virtual thread of its own; interrupted when the wait is given up.
  @SuppressWarnings("NullAway") // no value goes with a failure
  static <T extends @Nullable Object> Waitable<T> call(String name, Callable<? extends T> code) {
    return new FutureWait<>(
        name,
        callback -> {
          var worker =
              new Worker(
                  name,
                  () -> {
                    T value;
                    try {
                      value = code.call();
                    } catch (Throwable e) {
                      callback.accept(null, e);
                      return;
                    }
                    callback.accept(value, null);
                  });
          worker.begin();
          return worker::drop;
        });
  }

  /// A virtual thread on the JDK's scheduler. One made by a virtual thread inherits that one's
  /// scheduler, which on the BOUND backend is the loop; so a platform thread makes it, a moment
  /// later, and no task waits for that.
  private static final class Worker {

    private final String name;
    private final Runnable body;

    /// Guarded by this.
    private @Nullable Thread thread;

    /// Guarded by this.
    private boolean dropped;

    Worker(String name, Runnable body) {
      this.name = name;
      this.body = body;
    }

    void begin() {
      if (Thread.currentThread().isVirtual()) {
        ForkJoinPool.commonPool().execute(this::start);
      } else {
        start();
      }
    }

    private synchronized void start() {
      if (!dropped) {
        thread = Thread.ofVirtual().name(name).start(body);
      }
    }

    /// The wait was given up.
    synchronized void drop() {
      dropped = true;
      if (thread != null) {
        thread.interrupt();
      }
    }
  }
}
