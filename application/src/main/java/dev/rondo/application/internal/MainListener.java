package dev.rondo.application.internal;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.addon.AddOn;

/// An add-on that receives the outcome of the application's main task.
public interface MainListener extends AddOn {

  /// The main task has ended. Called on the scheduler's thread, for each run of the application.
  ///
  /// @param outcome of main
  void mainEnded(Outcome<?> outcome);
}
