package dev.rondo.scheduler.addon;

/// What a loop waits for besides timers and wakeups, such as channels. An [IdleStrategy] that owns
/// the time of its scheduler waits together with it, see [IdleStrategy#joins(EventSource)].
///
/// Confined to the scheduler's thread, except [#wakeup()].
public interface EventSource {

  /// No event, or no limit.
  long FOREVER = Long.MAX_VALUE;

  /// Looks for events without blocking.
  ///
  /// @return whether the loop must go on: tasks are ready, or the source has to look again
  boolean poll();

  /// Does the same if tasks wait for events, for an [IdleStrategy#pass()]: until they do, no event
  /// can make one ready.
  ///
  /// @return as [#poll()]
  default boolean pollIfAwaited() {
    return waitCount() > 0 && poll();
  }

  /// Blocks until an event, a wakeup, or until the time is over. May return early.
  ///
  /// @param nanos of real time, more than zero; [#FOREVER] for no limit
  /// @return as [#poll()]
  boolean await(long nanos);

  /// Ends the current wait, or the next one if there is none. Any thread.
  void wakeup();

  /// {@return whether events come from outside the process, so that they take real time} If not,
  /// they have instants of virtual time, see [#untilNextNanos()].
  boolean isReal();

  /// {@return how long it is until the next event, in nanoseconds of the scheduler's ticker; at
  /// most zero if it is due, [#FOREVER] if there is none} Of a source that is not [#isReal()].
  long untilNextNanos();

  /// {@return how many tasks wait for events now}
  int waitCount();

  /// {@return how many waits have begun so far} If it is unchanged, no task awaits something new.
  long waitsBegun();
}
