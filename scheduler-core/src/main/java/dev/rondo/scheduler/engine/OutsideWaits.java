package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.EventSource;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The door to the room `engine.outside`, which makes waits for other threads, and waits on threads
/// of its own. See [Rooms].
public abstract class OutsideWaits {

  /// For the room.
  protected OutsideWaits() {}

  static OutsideWaits room() {
    return Rooms.behind(OutsideWaits.class);
  }

  /// {@return the completion of a future that is cancelled when a wait for it is given up}
  public static <T extends @Nullable Object> Waitable<T> cancelling(Future<T> future) {
    return room().cancelled(Objects.requireNonNull(future, "future is null"), OutsideWaits::close);
  }

  /// See [EventSource#both].
  public static EventSource both(EventSource first, EventSource second) {
    return room()
        .joined(
            Objects.requireNonNull(first, "first is null"),
            Objects.requireNonNull(second, "second is null"));
  }

  /// What becomes of a result for which no task waits any more, unless the program says otherwise.
  static void close(@Nullable Object late) {
    if (late instanceof AutoCloseable resource) {
      try {
        resource.close();
      } catch (Exception e) {
        throw Throwables.rethrow(e);
      }
    }
  }

  // For the room.

  /// Two sources of events as one.
  protected abstract EventSource joined(EventSource first, EventSource second);

  /// The completion of a future of any kind.
  protected abstract <T extends @Nullable Object> Waitable<T> completion(Future<T> future);

  /// The same, for one wait.
  ///
  /// @param ifLate receives what the future results in after the wait was given up
  protected abstract <T extends @Nullable Object> Waitable<T> completion(
      Future<T> future, Consumer<? super T> ifLate);

  /// The same; the future is cancelled when the wait is given up.
  protected abstract <T extends @Nullable Object> Waitable<T> cancelled(
      Future<T> future, Consumer<? super T> ifLate);

  /// A blocking call.
  ///
  /// @param ifLate receives what the call returns after the wait was given up
  protected abstract <T extends @Nullable Object> Waitable<T> call(
      String name, Callable<? extends T> code, Consumer<? super T> ifLate);
}
