package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Scheduler;

/// Determines how the loop waits when no task is ready. This is the only place where the thread of
/// a scheduler blocks.
///
/// The default parks the thread. The IO add-on blocks in a selector, and a virtual clock jumps to
/// the next deadline. If a wakeup comes before the wait begins, the wait must return at once, as
/// with a permit of `LockSupport` or with `Selector.wakeup`. A wait may always return early.
public interface IdleStrategy {

  /// Waits until the instant, or until [#wakeup()].
  ///
  /// @param deadlineNanos an instant of the scheduler's ticker, in nanoseconds, after now
  void idleUntil(long deadlineNanos);

  /// Waits until [#wakeup()].
  void idle();

  /// Ends the current wait, or the next one if there is none. Called on any thread.
  void wakeup();

  /// {@return whether other code uses the scheduler's thread while this idles, as the event loop of
  /// a user interface does} If so, changes by that code end the wait with a [#wakeup()]. The
  /// default is no.
  default boolean lendsThread() {
    return false;
  }

  /// Waits together with a source of events from now on, and with those that have joined before.
  /// The strategy of a new scheduler does, and so does a virtual clock. The default does not.
  ///
  /// @param source see [AddOnHost#join(EventSource)]
  /// @return whether it does
  /// @throws IllegalArgumentException as [EventSource#both] does; nothing has changed
  default boolean joins(EventSource source) {
    return false;
  }

  /// {@return whether time stands still while the scheduler's thread computes, as virtual time
  /// does} If so, an add-on must not give a computation to another thread to keep turns short: its
  /// end would depend on real time. The default is no.
  default boolean timeStandsStill() {
    return false;
  }

  /// Offers a call of [Scheduler#blocking] to the strategy. A call that the strategy does not take
  /// begins at once on a virtual thread of its own. A strategy that gives several schedulers their
  /// turns in a fixed order runs the call between two turns, and waits for its end. Called in the
  /// task. The default takes no calls.
  ///
  /// @param name of the call, for its thread
  /// @param call to be run once, on another thread than the scheduler's; it does nothing if the
  ///   task has given up its wait before. When it returns, the scheduler has its outcome
  /// @return whether the strategy will run it
  default boolean runsBlocking(String name, Runnable call) {
    return false;
  }

  /// Called between two turns while tasks are ready, to let other code use the thread for a while;
  /// after every turn if this strategy [#lendsThread()]. The default does nothing.
  default void pass() {}
}
