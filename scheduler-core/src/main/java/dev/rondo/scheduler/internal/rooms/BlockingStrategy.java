package dev.rondo.scheduler.internal.rooms;

import dev.rondo.scheduler.addon.IdleStrategy;

/// An [IdleStrategy] that may run blocking calls itself, as the strategy of a simulation does.
public interface BlockingStrategy extends IdleStrategy {

  /// Offers a call of [dev.rondo.scheduler.Scheduler#blocking] to the strategy. If the strategy
  /// does not take the call, the call begins at once on a virtual thread of its own. A strategy
  /// that gives several schedulers their turns in a fixed order runs the call between two turns,
  /// and waits until it returns. Called in the task.
  ///
  /// @param name of the call, for its thread
  /// @param call to be run once, on a thread other than the scheduler's; it does nothing if the
  ///   task has given up its wait before. When the call returns, the scheduler has its outcome
  /// @return whether the strategy will run it
  boolean runsBlocking(String name, Runnable call);
}
