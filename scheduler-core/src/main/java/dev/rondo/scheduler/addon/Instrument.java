package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Scheduler;

/// A way to observe a scheduler: see [dev.rondo.scheduler.SchedulerBuilder#instrument]. Each
/// scheduler has those that the class path provides as services, too.
@FunctionalInterface
public interface Instrument {

  /// Opens the instrument for one scheduler, when the rest of that is complete. Called on the
  /// thread that builds the scheduler.
  ///
  /// @param scheduler about to be returned to the program
  /// @throws IllegalStateException if the scheduler cannot have this instrument; those that are
  ///   open are closed then
  void open(Scheduler scheduler);
}
