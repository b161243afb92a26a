package dev.rondo.scheduler.internal.rooms;

/// Events that have instants of virtual time. A `Selector` of simulated channels implements this,
/// so that a virtual clock jumps to the selector's next event. Called on the scheduler's thread.
public interface SimulatedEvents {

  /// {@return the time until the next event, in nanoseconds of virtual time; at most zero if the
  /// event is due, [dev.rondo.scheduler.addon.EventSource#FOREVER] if there is none}
  long untilNextNanos();
}
