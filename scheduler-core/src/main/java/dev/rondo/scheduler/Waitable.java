package dev.rondo.scheduler;

import dev.rondo.scheduler.engine.Faces;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An event that a task can wait for. Add-ons provide events.
///
/// A wait calls [#poll], which fires the waiter if the event has already come. If it has not, the
/// wait calls [#arm], which registers the waiter. When the event comes, the source *fires* the
/// waiter, which settles the wait exactly once and makes the task ready. If the wait ends in
/// another way (it is cancelled, it times out, or another branch of a select wins), [#disarm] is
/// always called, at once.
///
/// Rules for implementers, tested by `dev.rondo.scheduler.testing.WaitableContract`:
/// - all three methods run on the scheduler's thread, never suspend, and never run code of the
///   waiting task;
/// - unregister a waiter *before* you fire it; a waiter that was fired is not disarmed;
/// - if [Waiter#fire] returns false the wait was settled already: keep the event, and try the next
///   waiter;
/// - `poll` may fire its waiter but must not keep it; `arm` keeps it, or fires it at once;
/// - after `disarm` the source keeps neither the waiter nor a value for it.
///
/// The model is the first-class events of Concurrent ML (J. Reppy, *Concurrent Programming in ML*,
/// 1999). Because everything runs on one thread, settling a wait is a plain write to a field.
///
/// @param <T> the type of the result of the wait
public interface Waitable<T extends @Nullable Object> {

  /// Fires the waiter if the event has come. The default never fires it.
  ///
  /// @param waiter may be fired, must not be kept
  /// @return whether the waiter was fired
  default boolean poll(Waiter<? super T> waiter) {
    return false;
  }

  /// Registers a waiter, to be fired when the event comes.
  ///
  /// @param waiter to be kept until it is fired or disarmed
  void arm(Waiter<? super T> waiter);

  /// Unregisters a waiter that was armed and not fired.
  ///
  /// @param waiter the one that was armed
  void disarm(Waiter<? super T> waiter);

  /// {@return the one task that must act before the event can come: the owner of a lock, the task
  /// being joined; null if there is no single one} Deadlock reports follow it.
  default @Nullable Task<?> holder() {
    return null;
  }

  /// {@return the [Scheduler] whose tasks may wait for this event, and not the application around
  /// it; null if tasks of any scheduler may} A wait by a task of another scheduler fails in that
  /// task, before anything has changed.
  default @Nullable TaskRunner scheduler() {
    return null;
  }

  /// {@return the same event with another value} The function runs in the waiting task, after the
  /// wait is settled. The function may suspend. If it throws, the wait throws the same exception.
  ///
  /// @param <R> the type of the new value
  /// @param function makes the new value
  default <R extends @Nullable Object> Waitable<R> map(Function<? super T, ? extends R> function) {
    return Faces.all().map(this, function);
  }

  /// {@return an event that comes when the first of several events comes; the others are not lost}
  /// If several have already come, the first in the order of the list wins.
  ///
  /// @param <T> the type of the result
  /// @param parts at least one
  /// @throws IllegalArgumentException if there is none
  static <T extends @Nullable Object> Waitable<T> anyOf(
      List<? extends Waitable<? extends T>> parts) {
    return Faces.all().anyOf(parts);
  }

  /// {@return an event that is made for each wait, when the wait begins}
  ///
  /// @param <T> the type of the result
  /// @param maker runs in the waiting task, before anything is armed
  static <T extends @Nullable Object> Waitable<T> guard(
      Supplier<? extends Waitable<? extends T>> maker) {
    return Faces.all().guard(maker);
  }

  /// {@return an event that never comes: the neutral element of [#anyOf]}
  ///
  /// @param <T> the type of the result
  static <T extends @Nullable Object> Waitable<T> never() {
    return Faces.all().never();
  }

  /// {@return an event that has always come already}
  ///
  /// @param <T> the type of the result
  /// @param value the result of every wait
  static <T extends @Nullable Object> Waitable<T> always(T value) {
    return Faces.all().always(value);
  }

  /// {@return [Scheduler#completion(Future)] of a future that is cancelled as soon as a wait for it
  /// is given up} A wait is given up when it is cancelled, when it times out, or when another
  /// branch of a select comes first. Use this event only if no other wait needs the future: other
  /// waits fail with a `CancellationException`.
  ///
  /// The future is cancelled by `cancel(true)`, on the scheduler's thread, before the wait ends. If
  /// the future succeeds all the same, and its result is an [AutoCloseable], the result is closed
  /// on another thread. A failure of either goes to the failure handler.
  ///
  /// @param <T> the type of the result
  /// @param future completed anywhere
  static <T extends @Nullable Object> Waitable<T> cancelling(Future<T> future) {
    return Faces.all().completion(future, true, Faces.all()::close);
  }
}
