package dev.rondo.application.internal;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.addon.AddOn;

/// An add-on that receives the outcome of the application's main task.
public interface MainListener extends AddOn {

  /// Called when the main task has ended, on the scheduler's thread, for each run of the
  /// application.
  ///
  /// @param outcome the outcome of main
  void mainEnded(Outcome<?> outcome);
}
