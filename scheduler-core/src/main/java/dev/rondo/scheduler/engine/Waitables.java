package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.Waitable;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Makes waitables that consist of others: [Composite] and [Choice] are not public.
public final class Waitables {

  private Waitables() {}

  /// {@return the same event with its value changed}
  public static <A extends @Nullable Object, R extends @Nullable Object> Waitable<R> map(
      Waitable<A> inner, Function<? super A, ? extends R> function) {
    return new Composite.Mapped<>(inner, function);
  }

  /// {@return the event that comes first}
  public static <T extends @Nullable Object> Waitable<T> anyOf(
      List<? extends Waitable<? extends T>> parts) {
    return Choice.anyOf(Objects.requireNonNull(parts, "parts is null"));
  }

  /// {@return the event that comes first, with its number}
  public static <T extends @Nullable Object> Waitable<Selection<T>> select(
      Waitable<? extends T>[] branches) {
    return Choice.select(Objects.requireNonNull(branches, "branches is null"));
  }

  /// {@return an event that is made for every wait}
  public static <T extends @Nullable Object> Waitable<T> guard(
      Supplier<? extends Waitable<? extends T>> maker) {
    return new Composite.Guard<>(maker);
  }

  /// {@return an event that never comes}
  public static <T extends @Nullable Object> Waitable<T> never() {
    return Composite.Constant.never();
  }

  /// {@return an event that is always there}
  public static <T extends @Nullable Object> Waitable<T> always(T value) {
    return new Composite.Constant<>(value, true);
  }

  /// {@return the completion of a future that is cancelled when a wait for it is given up}
  public static <T extends @Nullable Object> Waitable<T> cancelling(Future<T> future) {
    Objects.requireNonNull(future, "future is null");
    return new OwnedFutureWait<>(future, true, LateResult::close);
  }
}
