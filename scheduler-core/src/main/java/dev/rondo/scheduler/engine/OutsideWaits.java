package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Waitable;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The door to the room `engine.outside`, which makes waits for other threads. See [Rooms].
public abstract class OutsideWaits {

  private static @Nullable OutsideWaits room;

  /// For the room.
  protected OutsideWaits() {}

  static OutsideWaits room() {
    OutsideWaits known = room;
    if (known == null) {
      known = Rooms.behind(OutsideWaits.class);
      room = known;
    }
    return known;
  }

  /// {@return the completion of a future that is cancelled when a wait for it is given up}
  public static <T extends @Nullable Object> Waitable<T> cancelling(Future<T> future) {
    return room().cancelled(Objects.requireNonNull(future, "future is null"), OutsideWaits::close);
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
