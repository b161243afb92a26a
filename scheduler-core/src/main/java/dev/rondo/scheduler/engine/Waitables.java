package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The door to the room `engine.select`, which makes waitables that consist of others. See [Rooms].
public abstract class Waitables {

  /// For the room.
  protected Waitables() {}

  private static Waitables room() {
    return Rooms.behind(Waitables.class);
  }

  // For the faces.

  /// {@return the same event with its value changed}
  public static <A extends @Nullable Object, R extends @Nullable Object> Waitable<R> map(
      Waitable<A> inner, Function<? super A, ? extends R> function) {
    return room().mapped(inner, Objects.requireNonNull(function, "function is null"));
  }

  /// {@return the event that comes first}
  public static <T extends @Nullable Object> Waitable<T> anyOf(
      List<? extends Waitable<? extends T>> parts) {
    return room().firstOf(Objects.requireNonNull(parts, "parts is null"));
  }

  /// {@return the event that comes first, with its number}
  public static <T extends @Nullable Object> Waitable<Selection<T>> select(
      Waitable<? extends T>[] branches) {
    return room().numbered(Objects.requireNonNull(branches, "branches is null"));
  }

  /// {@return an event that is made for every wait}
  public static <T extends @Nullable Object> Waitable<T> guard(
      Supplier<? extends Waitable<? extends T>> maker) {
    return room().guarded(Objects.requireNonNull(maker, "maker is null"));
  }

  /// {@return an event that never comes}
  public static <T extends @Nullable Object> Waitable<T> never() {
    return room().constant();
  }

  /// {@return an event that is always there}
  public static <T extends @Nullable Object> Waitable<T> always(T value) {
    return room().constant(value);
  }

  /// Takes an event for a task if the event has already come.
  ///
  /// @return what it delivered; null if it is not there
  public static @Nullable Object take(Task<?> task, Waitable<Object> event) {
    return room().taken(TaskCore.of(task), event);
  }

  // For the room.

  /// See [Waitable#map].
  protected abstract <A extends @Nullable Object, R extends @Nullable Object> Waitable<R> mapped(
      Waitable<A> inner, Function<? super A, ? extends R> function);

  /// See [Waitable#anyOf].
  protected abstract <T extends @Nullable Object> Waitable<T> firstOf(
      List<? extends Waitable<? extends T>> parts);

  /// See [dev.rondo.scheduler.Scheduler#select].
  protected abstract <T extends @Nullable Object> Waitable<Selection<T>> numbered(
      Waitable<? extends T>[] branches);

  /// See [Waitable#guard].
  protected abstract <T extends @Nullable Object> Waitable<T> guarded(
      Supplier<? extends Waitable<? extends T>> maker);

  /// See [Waitable#never()].
  protected abstract <T extends @Nullable Object> Waitable<T> constant();

  /// See [Waitable#always].
  protected abstract <T extends @Nullable Object> Waitable<T> constant(T value);

  /// See [#take].
  protected abstract @Nullable Object taken(TaskCore<?> task, Waitable<Object> event);
}
