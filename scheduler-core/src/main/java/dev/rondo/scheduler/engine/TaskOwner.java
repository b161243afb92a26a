package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Outcome;

/// The owner of a task, which learns of its end: a seam for groups.
///
/// A task has at most one owner. When its result is settled, the task calls the owner once and
/// drops it.
///
/// Confined to the scheduler's thread.
public interface TaskOwner {

  /// Called when a task has ended, before its failure is reported.
  ///
  /// @param outcome of the task
  /// @return whether the owner takes care of the failure, if there is one
  boolean taskEnded(Outcome<?> outcome);
}
