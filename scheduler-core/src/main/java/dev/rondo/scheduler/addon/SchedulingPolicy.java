package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.Task;

/// Decides which of the tasks that are ready has the next turn: the scheduling algorithm. Without
/// one a scheduler goes round robin, which is also the fastest. [SchedulingPolicies] has others;
/// set one with [SchedulerBuilder#policy].
///
/// A policy keeps the tasks that are ready and wait for their turn. A task whose turn it is, is not
/// among them; when it gives way it is added again. So a policy sees `add`, `add`, `next`, `add`
/// (the one that ran yielded), and so on. What a task may tell it is [Task#priority()] and
/// [Task#deadlineNanos()].
///
/// An instance belongs to one scheduler, and is called on that one's thread only. It must not call
/// the scheduler, and must not throw: the scheduler would be left without the task. The contract
/// suite `SchedulingPolicyContract` is in the test jar.
public interface SchedulingPolicy {

  /// A task has become ready, or has had its turn and is ready again.
  ///
  /// @param task not in here
  void add(Task<?> task);

  /// A task has become ready and is to run before those that are in here already
  /// ([dev.rondo.scheduler.TaskQueue#scheduleNext(Task)], a signal to the front, an add-on whose
  /// time has come). Of several the last one added runs first.
  ///
  /// @param task not in here
  void addFirst(Task<?> task);

  /// A task has become ready and is to run directly behind another one
  /// ([dev.rondo.scheduler.TaskQueue#scheduleAfter(Task, Task)]). The default adds it like any
  /// other.
  ///
  /// @param anchor in here
  /// @param task not in here
  default void addAfter(Task<?> anchor, Task<?> task) {
    add(task);
  }

  /// A task leaves without having had its turn: it was unscheduled, cancelled, or put elsewhere.
  ///
  /// @param task in here
  void remove(Task<?> task);

  /// Takes out the one whose turn it is.
  ///
  /// @return a task that is in here; only called while there is one
  Task<?> next();
}
