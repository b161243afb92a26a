package dev.rondo.scheduler;

/// A way to see inside that a [SchedulerBuilder] was asked for; opened for each scheduler it makes.
@FunctionalInterface
interface Instrument {

  /// Made when the rest of the loop is there.
  ///
  /// @throws IllegalStateException if this scheduler cannot have it
  TaskListener open(Loop loop);
}
