package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.EventSource;
import dev.rondo.scheduler.coroutine.Coroutine;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
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

  /// Code that runs in the turn of a task, but outside of the task, which has left its stack.
  public interface Errand {

    /// Runs the code, and then resumes the task.
    ///
    /// @param own the task's coroutine
    /// @return why the task left its stack after that; BLOCKED if the code has not ended
    Coroutine.Pause runFor(StackfulTask<?> task, Coroutine own);
  }

  /// See [dev.rondo.scheduler.addon.TaskControl#offStack].
  protected abstract <T extends @Nullable Object> T offStack(Loop loop, Supplier<T> code);

  /// Joins a task that has not ended, outside of a task with a stack.
  protected abstract <T extends @Nullable Object> T join(TaskCore<T> task);

  /// See [Future#get()].
  protected abstract <T extends @Nullable Object> T get(TaskCore<T> task)
      throws InterruptedException, ExecutionException;

  /// See [Future#get(long, TimeUnit)].
  protected abstract <T extends @Nullable Object> T get(
      TaskCore<T> task, long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException;

  /// The end of a task as a future of the JDK.
  protected abstract <T extends @Nullable Object> CompletableFuture<T> future(TaskCore<T> task);

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
