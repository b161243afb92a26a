package dev.rondo.condition.sync;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A stage that delegates every method to its `toCompletableFuture()`, so it behaves as the JDK
/// specifies.
///
/// @param <T> the result
interface StageView<T extends @Nullable Object> extends CompletionStage<T> {

  @Override
  default <U extends @Nullable Object> CompletionStage<U> thenApply(
      Function<? super T, ? extends U> fn) {
    return toCompletableFuture().thenApply(fn);
  }

  @Override
  default <U extends @Nullable Object> CompletionStage<U> thenApplyAsync(
      Function<? super T, ? extends U> fn) {
    return toCompletableFuture().thenApplyAsync(fn);
  }

  @Override
  default <U extends @Nullable Object> CompletionStage<U> thenApplyAsync(
      Function<? super T, ? extends U> fn, Executor executor) {
    return toCompletableFuture().thenApplyAsync(fn, executor);
  }

  @Override
  default CompletionStage<Void> thenAccept(Consumer<? super T> action) {
    return toCompletableFuture().thenAccept(action);
  }

  @Override
  default CompletionStage<Void> thenAcceptAsync(Consumer<? super T> action) {
    return toCompletableFuture().thenAcceptAsync(action);
  }

  @Override
  default CompletionStage<Void> thenAcceptAsync(Consumer<? super T> action, Executor executor) {
    return toCompletableFuture().thenAcceptAsync(action, executor);
  }

  @Override
  default CompletionStage<Void> thenRun(Runnable action) {
    return toCompletableFuture().thenRun(action);
  }

  @Override
  default CompletionStage<Void> thenRunAsync(Runnable action) {
    return toCompletableFuture().thenRunAsync(action);
  }

  @Override
  default CompletionStage<Void> thenRunAsync(Runnable action, Executor executor) {
    return toCompletableFuture().thenRunAsync(action, executor);
  }

  @Override
  default <U extends @Nullable Object, V extends @Nullable Object> CompletionStage<V> thenCombine(
      CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> fn) {
    return toCompletableFuture().thenCombine(other, fn);
  }

  @Override
  default <U extends @Nullable Object, V extends @Nullable Object>
      CompletionStage<V> thenCombineAsync(
          CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> fn) {
    return toCompletableFuture().thenCombineAsync(other, fn);
  }

  @Override
  default <U extends @Nullable Object, V extends @Nullable Object>
      CompletionStage<V> thenCombineAsync(
          CompletionStage<? extends U> other,
          BiFunction<? super T, ? super U, ? extends V> fn,
          Executor executor) {
    return toCompletableFuture().thenCombineAsync(other, fn, executor);
  }

  @Override
  default <U extends @Nullable Object> CompletionStage<Void> thenAcceptBoth(
      CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> action) {
    return toCompletableFuture().thenAcceptBoth(other, action);
  }

  @Override
  default <U extends @Nullable Object> CompletionStage<Void> thenAcceptBothAsync(
      CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> action) {
    return toCompletableFuture().thenAcceptBothAsync(other, action);
  }

  @Override
  default <U extends @Nullable Object> CompletionStage<Void> thenAcceptBothAsync(
      CompletionStage<? extends U> other,
      BiConsumer<? super T, ? super U> action,
      Executor executor) {
    return toCompletableFuture().thenAcceptBothAsync(other, action, executor);
  }

  @Override
  default CompletionStage<Void> runAfterBoth(CompletionStage<?> other, Runnable action) {
    return toCompletableFuture().runAfterBoth(other, action);
  }

  @Override
  default CompletionStage<Void> runAfterBothAsync(CompletionStage<?> other, Runnable action) {
    return toCompletableFuture().runAfterBothAsync(other, action);
  }

  @Override
  default CompletionStage<Void> runAfterBothAsync(
      CompletionStage<?> other, Runnable action, Executor executor) {
    return toCompletableFuture().runAfterBothAsync(other, action, executor);
  }

  @Override
  default <U extends @Nullable Object> CompletionStage<U> applyToEither(
      CompletionStage<? extends T> other, Function<? super T, U> fn) {
    return toCompletableFuture().applyToEither(other, fn);
  }

  @Override
  default <U extends @Nullable Object> CompletionStage<U> applyToEitherAsync(
      CompletionStage<? extends T> other, Function<? super T, U> fn) {
    return toCompletableFuture().applyToEitherAsync(other, fn);
  }

  @Override
  default <U extends @Nullable Object> CompletionStage<U> applyToEitherAsync(
      CompletionStage<? extends T> other, Function<? super T, U> fn, Executor executor) {
    return toCompletableFuture().applyToEitherAsync(other, fn, executor);
  }

  @Override
  default CompletionStage<Void> acceptEither(
      CompletionStage<? extends T> other, Consumer<? super T> action) {
    return toCompletableFuture().acceptEither(other, action);
  }

  @Override
  default CompletionStage<Void> acceptEitherAsync(
      CompletionStage<? extends T> other, Consumer<? super T> action) {
    return toCompletableFuture().acceptEitherAsync(other, action);
  }

  @Override
  default CompletionStage<Void> acceptEitherAsync(
      CompletionStage<? extends T> other, Consumer<? super T> action, Executor executor) {
    return toCompletableFuture().acceptEitherAsync(other, action, executor);
  }

  @Override
  default CompletionStage<Void> runAfterEither(CompletionStage<?> other, Runnable action) {
    return toCompletableFuture().runAfterEither(other, action);
  }

  @Override
  default CompletionStage<Void> runAfterEitherAsync(CompletionStage<?> other, Runnable action) {
    return toCompletableFuture().runAfterEitherAsync(other, action);
  }

  @Override
  default CompletionStage<Void> runAfterEitherAsync(
      CompletionStage<?> other, Runnable action, Executor executor) {
    return toCompletableFuture().runAfterEitherAsync(other, action, executor);
  }

  @Override
  default <U extends @Nullable Object> CompletionStage<U> thenCompose(
      Function<? super T, ? extends CompletionStage<U>> fn) {
    return toCompletableFuture().thenCompose(fn);
  }

  @Override
  default <U extends @Nullable Object> CompletionStage<U> thenComposeAsync(
      Function<? super T, ? extends CompletionStage<U>> fn) {
    return toCompletableFuture().thenComposeAsync(fn);
  }

  @Override
  default <U extends @Nullable Object> CompletionStage<U> thenComposeAsync(
      Function<? super T, ? extends CompletionStage<U>> fn, Executor executor) {
    return toCompletableFuture().thenComposeAsync(fn, executor);
  }

  @Override
  default <U extends @Nullable Object> CompletionStage<U> handle(
      BiFunction<? super T, Throwable, ? extends U> fn) {
    return toCompletableFuture().handle(fn);
  }

  @Override
  default <U extends @Nullable Object> CompletionStage<U> handleAsync(
      BiFunction<? super T, Throwable, ? extends U> fn) {
    return toCompletableFuture().handleAsync(fn);
  }

  @Override
  default <U extends @Nullable Object> CompletionStage<U> handleAsync(
      BiFunction<? super T, Throwable, ? extends U> fn, Executor executor) {
    return toCompletableFuture().handleAsync(fn, executor);
  }

  @Override
  default CompletionStage<T> whenComplete(
      BiConsumer<? super T, ? super @Nullable Throwable> action) {
    return toCompletableFuture().whenComplete(action);
  }

  @Override
  default CompletionStage<T> whenCompleteAsync(
      BiConsumer<? super T, ? super @Nullable Throwable> action) {
    return toCompletableFuture().whenCompleteAsync(action);
  }

  @Override
  default CompletionStage<T> whenCompleteAsync(
      BiConsumer<? super T, ? super @Nullable Throwable> action, Executor executor) {
    return toCompletableFuture().whenCompleteAsync(action, executor);
  }

  @Override
  default CompletionStage<T> exceptionally(Function<Throwable, ? extends T> fn) {
    return toCompletableFuture().exceptionally(fn);
  }
}
