package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.engine.WaiterCore;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A [Waitable] that tells the engine how its waits run. Most events need none of this: a
/// `Waitable` that is no source is eager, and is armed for each wait.
///
/// A source may also keep an object with each of its waiters, in place of a map.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the type of the result of the wait
public interface Source<T extends @Nullable Object> extends Waitable<T> {

  /// {@return whether a wait completes at once, without suspending, if the event has already come}
  /// True for a wait that *takes* something (an element, a permit, bytes). False for a wait that
  /// only observes a state (a task has ended, a predicate is true, an instant has passed): such a
  /// wait always suspends once.
  default boolean isEager() {
    return true;
  }

  /// {@return whether a waiter may stay armed between two waits of a choice that is awaited
  /// repeatedly} The default is no.
  ///
  /// If another part wins such a wait, the waiter is not disarmed. It *rests*: it stays in its
  /// queue, which passes over it, and the next wait neither polls nor arms this source. Return true
  /// only if all of the following hold:
  /// - `arm` puts the waiter into a [WaitQueue] if the event has not come, and stores it nowhere
  ///   else;
  /// - `disarm` removes it from that queue, and does nothing else;
  /// - when the event comes, that queue is asked for a waiter before the event is kept for later
  ///   waits; a queue that has passed over a waiter has dropped it, and the next wait polls again;
  /// - [#scheduler()] is not null.
  default boolean mayStayArmed() {
    return false;
  }

  /// {@return [#isEager()] of any event}
  ///
  /// @param waitable a source or not
  static boolean isEager(Waitable<?> waitable) {
    Objects.requireNonNull(waitable, "waitable is null");
    return !(waitable instanceof Source<?> source) || source.isEager();
  }

  /// {@return the right to settle a wait, for a source that several threads use} After this call,
  /// nothing ends the wait without taking the claim. For use while the waiter is being armed, or is
  /// armed. The claim is valid for this wait only.
  ///
  /// @param waiter of the wait
  /// @throws IllegalStateException if the wait is over, or only polls
  /// @throws WrongThreadException if called on another thread than the scheduler's
  static WaitClaim claim(Waiter<?> waiter) {
    return WaiterCore.of(waiter).claim();
  }

  /// Settles a wait with a value after its [#claim] was taken, as [Waiter#fire] does otherwise.
  ///
  /// @param <T> the type of the value
  /// @param waiter of the wait
  /// @param claim of the wait
  /// @param value the result of the wait
  /// @return false if the task has not kept the wait, and the event is still the caller's. The task
  ///   has ended, its scheduler is closed, its stack could not be left, or it is a step task whose
  ///   turn did not return the wait
  /// @throws WrongThreadException if called on another thread than the scheduler's
  static <T extends @Nullable Object> boolean fireTaken(
      Waiter<? super T> waiter, WaitClaim claim, T value) {
    return WaiterCore.of(waiter).fireTaken(Objects.requireNonNull(claim, "claim is null"), value);
  }

  /// Sets the object that the [Waitable] on which a waiter is armed keeps with it. The object is
  /// dropped when the wait ends.
  ///
  /// @param waiter armed on the caller
  /// @param attachment anything
  static void attach(Waiter<?> waiter, @Nullable Object attachment) {
    WaiterCore.of(waiter).attach(attachment);
  }

  /// {@return the object that was [attached][#attach]; null if there is none}
  ///
  /// @param waiter armed on the caller
  static @Nullable Object attachment(Waiter<?> waiter) {
    return WaiterCore.of(waiter).attachment();
  }
}
