package dev.rondo.scheduler.addon;

/// A source of events that a loop waits for besides timers and wakeups, such as channels. An
/// [IdleStrategy] that owns the time of its scheduler waits together with the source, see
/// [IdleStrategy#joins(EventSource)].
///
/// Confined to the scheduler's thread, except [#wakeup()].
public interface EventSource {

  /// No event, or no limit.
  long FOREVER = Long.MAX_VALUE;

  /// Looks for events without blocking.
  ///
  /// @return whether the loop must continue: tasks are ready, or the source has to look again
  boolean poll();

  /// [#poll()], but only if tasks wait for events: for an [IdleStrategy#pass()].
  ///
  /// @return as [#poll()]
  default boolean pollIfAwaited() {
    return waitCount() > 0 && poll();
  }

  /// Called in every pass of a loop that sleeps in this source in real time: between two turns,
  /// some 50 us apart while tasks are ready. It looks for events that must not wait until no task
  /// is ready. The default does nothing.
  default void pass() {}

  /// Blocks until an event, a wakeup, or until the time is over. May return early.
  ///
  /// @param nanos of real time, more than zero; [#FOREVER] for no limit
  /// @return as [#poll()]
  boolean await(long nanos);

  /// [#await(long)] for a loop that determines itself whether it must continue.
  ///
  /// @param nanos of real time, more than zero; [#FOREVER] for no limit
  default void sleep(long nanos) {
    boolean _ = await(nanos);
  }

  /// Ends the current wait, or the next one if there is none. Any thread.
  void wakeup();

  /// {@return whether events come from outside the process, so that they take real time} If not,
  /// they have instants of virtual time, see [#untilNextNanos()].
  boolean isReal();

  /// {@return the time until the next event, in nanoseconds of the scheduler's ticker; at most zero
  /// if it is due, [#FOREVER] if there is none} Called only if the source is not [#isReal()].
  long untilNextNanos();

  /// {@return how many tasks wait for events now}
  int waitCount();

  /// {@return how many waits have begun so far} If it is unchanged, no task awaits something new.
  long waitsBegun();
}
