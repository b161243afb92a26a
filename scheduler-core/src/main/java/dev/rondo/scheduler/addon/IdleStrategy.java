package dev.rondo.scheduler.addon;

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

  /// Ends the current wait; if there is none, the next wait. Called on any thread.
  void wakeup();

  /// {@return whether other code, such as the event loop of a user interface, uses the scheduler's
  /// thread while this strategy idles} If so, changes by that code end the wait with a [#wakeup()].
  /// The default is no.
  default boolean lendsThread() {
    return false;
  }

  /// Makes this strategy wait together with a source of events from now on, in addition to sources
  /// that have joined before. The strategy of a new scheduler takes sources, and so does a virtual
  /// clock. The default takes none.
  ///
  /// @param source see [AddOnHost#join(EventSource)]
  /// @return whether the source has joined
  /// @throws IllegalArgumentException if the source is real and another joined source is not, or if
  ///   both are real and neither is the source of Rondo's sockets, the only one for which another
  ///   thread can wait; nothing has changed
  default boolean joins(EventSource source) {
    return false;
  }

  /// {@return whether time stands still while the scheduler's thread computes, as virtual time
  /// does} If so, an add-on must not move a computation to another thread to keep turns short: the
  /// end of the computation would depend on real time. The default is no.
  default boolean timeStandsStill() {
    return false;
  }

  /// Called between two turns while tasks are ready, to let other code use the thread for a while.
  /// Called after every turn if this strategy [#lendsThread()]. The default does nothing.
  default void pass() {}
}
