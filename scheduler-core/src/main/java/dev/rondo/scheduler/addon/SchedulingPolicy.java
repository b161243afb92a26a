package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.Task;

/// A scheduling algorithm: decides which of the ready tasks has the next turn. Without a policy the
/// scheduler is round robin, which is also the fastest. [SchedulingPolicies] has other policies.
/// Set a policy with [SchedulerBuilder#policy].
///
/// A policy keeps the ready tasks, except the running task, which is added again when it yields. So
/// a policy receives `add`, `add`, `next`, `add` (the task that ran has yielded), and so on. It can
/// use [Task#priority()] and [Task#deadlineNanos()].
///
/// An instance belongs to one scheduler, and is called on that scheduler's thread only. It must not
/// call the scheduler, and must not throw: the scheduler would lose the task. The contract suite
/// `SchedulingPolicyContract` is in the test jar.
public interface SchedulingPolicy {

  /// Adds a task that has become ready, or has had its turn and is ready again.
  ///
  /// @param task not in here
  void add(Task<?> task);

  /// Adds a task that has become ready and runs before all others
  /// ([dev.rondo.scheduler.TaskQueue#scheduleNext(Task)], a signal to the front, an add-on whose
  /// time has come). Of several such tasks the last one added runs first.
  ///
  /// @param task not in here
  void addFirst(Task<?> task);

  /// Adds a task that has become ready and runs directly after another
  /// ([dev.rondo.scheduler.TaskQueue#scheduleAfter(Task, Task)]). The default adds it like any
  /// other task.
  ///
  /// @param anchor in here
  /// @param task not in here
  default void addAfter(Task<?> anchor, Task<?> task) {
    add(task);
  }

  /// Removes a task that has not had its turn: it was unscheduled, cancelled, or moved.
  ///
  /// @param task in here
  void remove(Task<?> task);

  /// Removes and returns the task that has the next turn.
  ///
  /// @return a task of this policy; only called while there is one
  Task<?> next();
}
