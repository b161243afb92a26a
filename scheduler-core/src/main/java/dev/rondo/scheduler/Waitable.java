package dev.rondo.scheduler;

import dev.rondo.scheduler.engine.Waitables;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Something a task can wait for: the one thing an add-on is made of.
///
/// A wait goes like this: [#poll] - is it there now? If not, [#arm] - tell this waiter when. Then
/// either the source *fires* the waiter, which settles the wait exactly once and puts the task back
/// into circulation, or the wait ends otherwise (cancelled, timed out, another branch of a select
/// won) and [#disarm] is called - at once, and always.
///
/// Rules for implementers, proved by `dev.rondo.scheduler.testing.WaitableContract`:
/// - all three run on the scheduler's thread, never suspend, and never run the waiting task's code;
/// - take a waiter out of your books *before* you fire it; a waiter that was fired is not disarmed;
/// - [Waiter#fire] answering false means the wait was settled already: keep the event, try the
///   next;
/// - `poll` may fire the waiter it is given and must not keep it; `arm` keeps it, or fires it at
///   once;
/// - after `disarm` nothing of the waiter is left: neither the waiter nor what it was to get.
///
/// The idea is Concurrent ML's first-class events (J. Reppy, *Concurrent Programming in ML*, 1999).
/// One thread makes the commit a plain field write.
///
/// @param <T> what the wait results in
public interface Waitable<T extends @Nullable Object> {

  /// Fires the waiter if the event is there now. The default says it never is.
  ///
  /// @param waiter to be fired, and not to be kept
  /// @return whether the waiter was fired
  default boolean poll(Waiter<? super T> waiter) {
    return false;
  }

  /// Remembers the waiter and fires it when the event comes.
  ///
  /// @param waiter to be kept until it is fired or disarmed
  void arm(Waiter<? super T> waiter);

  /// Forgets a waiter that was armed and not fired.
  ///
  /// @param waiter the one that was armed
  void disarm(Waiter<? super T> waiter);

  /// {@return whether waiting for this completes at once, without giving way, if it is there
  /// already} True for what *takes* something (an element, a permit, bytes), false for what merely
  /// looks at a fact (a task has ended, a predicate holds, an instant has passed): those always
  /// give way once.
  default boolean isEager() {
    return true;
  }

  /// {@return whether a task that waits for this may stay mounted while the loop runs others upon
  /// its frames (see [SchedulerBuilder#withMountedTask()])} The default says no; joining a task
  /// says yes.
  ///
  /// A mounted task that holds a monitor corrupts the virtual machine's books of monitors as soon
  /// as another task suspends. So say yes only for what nobody awaits from within libraries that
  /// hold one meanwhile, as the JDK's readers and writers do.
  default boolean mayStayMounted() {
    return false;
  }

  /// {@return the task that must act before this can come, if there is just one: the owner of a
  /// lock, the task being joined} Deadlock reports follow it.
  default @Nullable Task<?> holder() {
    return null;
  }

  /// {@return the same event with its value changed} The function runs in the waiting task, after
  /// the wait was settled; it may suspend, and what it throws comes out of the wait.
  ///
  /// @param <R> what the new value is
  /// @param function makes the new value
  default <R extends @Nullable Object> Waitable<R> map(Function<? super T, ? extends R> function) {
    return Waitables.map(this, function);
  }

  /// {@return whichever comes first; the others lose nothing} If several are there already, the
  /// first of them in this order.
  ///
  /// @param <T> what it results in
  /// @param parts at least one
  /// @throws IllegalArgumentException if there is none
  static <T extends @Nullable Object> Waitable<T> anyOf(
      List<? extends Waitable<? extends T>> parts) {
    return Waitables.anyOf(parts);
  }

  /// {@return an event that is made anew for every wait, when the wait begins}
  ///
  /// @param <T> what it results in
  /// @param maker runs in the waiting task, before anything is armed
  static <T extends @Nullable Object> Waitable<T> guard(
      Supplier<? extends Waitable<? extends T>> maker) {
    return Waitables.guard(maker);
  }

  /// {@return an event that never comes: the neutral element of [#anyOf]}
  ///
  /// @param <T> what it results in
  static <T extends @Nullable Object> Waitable<T> never() {
    return Waitables.never();
  }

  /// {@return an event that is always there}
  ///
  /// @param <T> what it results in
  /// @param value what every wait results in
  static <T extends @Nullable Object> Waitable<T> always(T value) {
    return Waitables.always(value);
  }
}
