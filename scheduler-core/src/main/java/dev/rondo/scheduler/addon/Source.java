package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Waitable;
import org.jspecify.annotations.Nullable;

/// A [Waitable] that determines how the engine runs its waits. Most events do not need this: a
/// `Waitable` that is not a source is eager, and is armed for each wait.
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
  /// If another part wins such a wait, the waiter is not disarmed. Instead the waiter *rests*: it
  /// stays in its queue, the queue passes over it, and the next wait neither polls nor arms this
  /// source. Return true only if all of the following hold:
  /// - `arm` puts the waiter into a [WaitQueue] if the event has not come, and stores it nowhere
  ///   else;
  /// - `disarm` removes the waiter from that queue, and does nothing else;
  /// - when the event comes, that queue is asked for a waiter before the event is kept for later
  ///   waits; a queue that has passed over a waiter has dropped it, and the next wait polls again;
  /// - [#scheduler()] is not null.
  default boolean mayStayArmed() {
    return false;
  }
}
