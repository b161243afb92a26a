package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Task;

/// Receives what tasks do, for instance for metrics and traces. Set with
/// [dev.rondo.scheduler.SchedulerBuilder#listener(TaskListener)].
///
/// The methods run on the scheduler's thread, or on the thread of the task concerned, so that calls
/// for one scheduler never overlap. They must be quick, and must not suspend: an attempt throws
/// [IllegalStateException]. The exceptions of a listener go to the failure handler. They do not
/// affect the task, and the other listeners are still called.
///
/// The order of the calls for one task is: `created`; then for each turn `beforeTurn`, `afterTurn`
/// and, if the task was parked in that turn, `suspended`. `done` is called once: before the
/// `afterTurn` of the last turn, or outside of any turn if the task ends without one, for instance
/// because it is cancelled before it ever ran. Listeners are called in the order they were set.
public interface TaskListener {

  /// A task was made, and is possibly not scheduled yet. [Task#parentId()] is the task that made
  /// it.
  ///
  /// @param task the new task
  default void created(Task<?> task) {}

  /// A task is about to have its turn. The task is running already: a cancellation takes effect at
  /// its next suspension point, or at the end of this turn if the task is a step task.
  ///
  /// @param task about to have its turn
  default void beforeTurn(Task<?> task) {}

  /// A task's turn is over. [Task#taskState()] is its state now.
  ///
  /// @param task that had its turn
  default void afterTurn(Task<?> task) {}

  /// A task was parked in the turn that has just ended: it is waiting, suspended, idling or
  /// blocked.
  ///
  /// @param task that had its turn
  default void suspended(Task<?> task) {}

  /// A task has ended, and everything that waited for its end has been woken. [Task#outcome()]
  /// tells how it ended. Always on the scheduler's thread.
  ///
  /// @param task that has ended
  default void done(Task<?> task) {}

  /// The scheduler has closed. This is the last call.
  default void closed() {}
}
