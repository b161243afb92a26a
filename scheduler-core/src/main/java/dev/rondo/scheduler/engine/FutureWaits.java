package dev.rondo.scheduler.engine;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// Makes the waitable for a future: a [FutureCompletion] if the future accepts callbacks, otherwise
/// a [BlockingCall].
final class FutureWaits {

  private FutureWaits() {}

  static <T extends @Nullable Object> Waitable<T> of(CompletionStage<T> stage) {
    return of(stage, null);
  }

  private static <T extends @Nullable Object> Waitable<T> of(
      CompletionStage<T> stage, @Nullable Task<?> task) {
    return new FutureCompletion<>(stage, callback -> stage.whenComplete(callback), task);
  }

  static <T extends @Nullable Object> Waitable<T> of(ListenableFuture<T> future) {
    return new FutureCompletion<>(
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
                MoreExecutors.directExecutor()),
        null);
  }

  /// The waitable for a future of any kind. A plain `Future` costs a virtual thread that blocks on
  /// it.
  @SuppressWarnings("unchecked")
  static <T extends @Nullable Object> Waitable<T> of(Future<T> future) {
    return switch (future) {
      case TaskCore<T> task -> of(task.toCompletableFuture(), task);
      case CompletionStage<?> stage -> of((CompletionStage<T>) stage);
      case ListenableFuture<T> listenable -> of(listenable);
      default -> BlockingCall.waiting("completion of " + future, () -> FutureValue.of(future));
    };
  }
}
