package dev.rondo.scheduler;

/// Told what tasks do: the hooks for metrics, traces and the like. Set with
/// [SchedulerBuilder#listener(TaskListener)].
///
/// They run on the scheduler's thread, or on that of the task concerned, so that calls for one
/// scheduler never overlap. They must be quick and must not suspend, which throws
/// [IllegalStateException]. What a listener throws goes to the failure handler; the other listeners
/// are told all the same, and the task is not affected.
///
/// For one task the calls come in this order: `created`; then for each turn `beforeTurn`,
/// `afterTurn` and, if it went out of circulation, `suspended`. `done` comes once, before the
/// `afterTurn` of the last turn, or outside of any turn where a task ends without one (one that is
/// cancelled before it ever ran). Listeners that were set first are told first.
public interface TaskListener {

  /// A task was made. It may not be scheduled yet; [Task#parentId()] is who made it.
  ///
  /// @param task the new one
  default void created(Task<?> task) {}

  /// A task is about to have its turn. It counts as running already: to cancel it takes effect at
  /// the end of this turn.
  ///
  /// @param task whose turn it is
  default void beforeTurn(Task<?> task) {}

  /// A task's turn is over; [Task#taskState()] tells how.
  ///
  /// @param task whose turn it was
  default void afterTurn(Task<?> task) {}

  /// A task went out of circulation in the turn that is just over: it is waiting, suspended, idling
  /// or blocked.
  ///
  /// @param task whose turn it was
  default void suspended(Task<?> task) {}

  /// A task has ended, and everybody who waited for that has been told. [Task#outcome()] tells how.
  /// Always on the scheduler's thread.
  ///
  /// @param task that has ended
  default void done(Task<?> task) {}

  /// The scheduler has closed: nothing comes any more.
  default void closed() {}
}
