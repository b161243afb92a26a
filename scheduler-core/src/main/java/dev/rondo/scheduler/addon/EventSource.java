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

  /// [#poll()], but only if tasks wait for events. For an [IdleStrategy#pass()].
  ///
  /// @return as [#poll()]
  default boolean pollIfAwaited() {
    return waitCount() > 0 && poll();
  }

  /// Called in every pass of a loop that sleeps in this source in real time. A pass comes between
  /// two turns, about every 50 us while tasks are ready. The method looks for events that must not
  /// wait until no task is ready. The default does nothing.
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

  /// Ends the current wait; if there is none, the next wait. Any thread.
  void wakeup();

  /// {@return whether events come from outside the process, in real time} If not, events have
  /// instants of virtual time, see [#untilNextNanos()].
  boolean isReal();

  /// {@return the time until the next event, in nanoseconds of the scheduler's ticker; at most zero
  /// if the event is due, [#FOREVER] if there is none} Called only if the source is not
  /// [#isReal()].
  long untilNextNanos();

  /// {@return the number of tasks that wait for events now}
  int waitCount();

  /// {@return the number of waits that have begun so far} If the number is unchanged, no task has
  /// begun a wait.
  long waitsBegun();
}
