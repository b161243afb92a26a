package dev.rondo.scheduler.engine.outside;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.Throwables;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Makes the waitable for a future: a [FutureCompletion] if the future accepts callbacks, otherwise
/// a [BlockingCall].
public final class FutureWaits {

  private FutureWaits() {}

  /// The waitable for a future of any kind. For a plain `Future`, a virtual thread blocks on the
  /// future.
  public static <T extends @Nullable Object> Waitable<T> of(Future<T> future) {
    FutureCompletion.Source<T> source = sourceOf(future);
    if (source == null) {
      return BlockingCall.waiting("completion of " + future, () -> valueOf(future));
    }
    return new FutureCompletion<>(future, source, future instanceof TaskCore<T> task ? task : null);
  }

  /// Blocks until a future is done. Throws the failure of the future unwrapped.
  private static <T extends @Nullable Object> T valueOf(Future<T> future)
      throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw Throwables.rethrow(e.getCause() == null ? e : e.getCause());
    }
  }

  /// Calls back if the future succeeds, on any thread. For a plain `Future` that is not done, a
  /// virtual thread blocks on the future.
  @SuppressWarnings("NullAway") // without a failure the value is of type T
  static <T extends @Nullable Object> void whenSucceeded(
      Future<T> future, Consumer<? super T> callback) {
    FutureCompletion.Source<T> source = sourceOf(future);
    if (source != null) {
      source.begin((value, failure) -> {
        if (failure == null) {
          callback.accept(value);
        }
        return false;
      });
    } else if (!future.isDone()) {
      LateResult.beginThread(() -> Thread.startVirtualThread(() -> awaitSuccess(future, callback)));
    } else if (future.state() == Future.State.SUCCESS) {
      callback.accept(future.resultNow());
    }
  }

  private static <T extends @Nullable Object> void awaitSuccess(
      Future<T> future, Consumer<? super T> callback) {
    T value;
    try {
      value = future.get();
    } catch (Exception e) { // the future's own
      return;
    }
    callback.accept(value);
  }

  /// Returns null for a future that does not accept callbacks.
  @SuppressWarnings("unchecked")
  private static <T extends @Nullable Object> FutureCompletion.@Nullable Source<T> sourceOf(
      Future<T> future) {
    return switch (future) {
      case TaskCore<T> task -> callback -> task.whenSettled(new TaskEnd<>(task, callback));
      case CompletionStage<?> stage ->
          callback -> ((CompletionStage<T>) stage).whenComplete(callback::completed);
      case ListenableFuture<T> listenable -> callback -> addCallback(listenable, callback);
      default -> null;
    };
  }

  /// Calls back when a task has ended.
  private record TaskEnd<T extends @Nullable Object>(
      TaskCore<T> task, FutureCompletion.Callback<? super T> callback)
      implements TaskCore.Tentative {

    @Override
    public boolean ended() {
      return switch (Objects.requireNonNull(task.outcome())) {
        case Outcome.Success<T>(T value) -> callback.completed(value, null);
        case Outcome.Failure<T>(Throwable cause) -> callback.completed(null, cause);
        case Outcome.Cancelled<T>(TaskCancelled cause) ->
            callback.completed(null, Throwables.cancellation(cause));
      };
    }
  }

  private static <T extends @Nullable Object> void addCallback(
      ListenableFuture<T> future, FutureCompletion.Callback<? super T> callback) {
    Futures.addCallback(
        future,
        new FutureCallback<T>() {
          @Override
          public void onSuccess(T result) {
            boolean _ = callback.completed(result, null);
          }

          @Override
          public void onFailure(Throwable failure) {
            boolean _ = callback.completed(null, failure);
          }
        },
        MoreExecutors.directExecutor());
  }
}
