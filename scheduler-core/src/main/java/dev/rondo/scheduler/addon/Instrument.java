package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Scheduler;

/// A way to observe a scheduler: see [dev.rondo.scheduler.SchedulerBuilder#instrument]. Each
/// scheduler also has the instruments that the class path provides as services.
@FunctionalInterface
public interface Instrument {

  /// Opens the instrument for one scheduler, when the rest of the scheduler is complete. Called on
  /// the thread that builds the scheduler.
  ///
  /// @param scheduler about to be returned to the program
  /// @throws IllegalStateException if the scheduler cannot have this instrument; instruments that
  ///   are open already are then closed
  void open(Scheduler scheduler);
}
