package dev.rondo.scheduler;

import dev.rondo.scheduler.engine.QueueCore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The ready queue of a [Scheduler], for code that decides on the order of tasks by hand: where a
/// task is to stand, what it is to wait for instead, and which tasks are ready.
///
/// Ask for it with [Scheduler#queue()]. Confined to the scheduler's thread. No method is a
/// suspension point.
public abstract sealed class TaskQueue permits QueueCore {

  /// For the engine.
  protected TaskQueue() {}

  /// [Scheduler#scheduleTask(Task)], but at the front: directly behind the running task.
  ///
  /// @param task of this scheduler
  /// @return false, and no effect, if it is ready or running already, blocked in the JDK, or has
  ///   ended
  public abstract boolean scheduleNext(Task<?> task);

  /// [#scheduleNext(Task)] with a value.
  ///
  /// @param task of this scheduler
  /// @param value for its next turn
  /// @return false, and no effect, if it is ready or running already, blocked in the JDK, or has
  ///   ended
  public abstract boolean scheduleNext(Task<?> task, @Nullable Object value);

  /// [Scheduler#scheduleTask(Task)], but directly behind another task that is ready or running.
  ///
  /// @param task of this scheduler
  /// @param anchor of this scheduler
  /// @return false, and no effect, if the anchor is neither ready nor running, or the task is ready
  ///   or running already, blocked in the JDK, or has ended
  public abstract boolean scheduleAfter(Task<?> task, Task<?> anchor);

  /// Has a task wait for something, instead of putting it into the ready queue: it becomes ready
  /// when that comes, and receives its value. A task that is ready leaves the ready queue, and what
  /// it had received already is dropped; one that waits for something else leaves that. A task that
  /// is cancelled before its first turn drops what has come for it. Never a suspension point.
  ///
  /// If the waitable throws when it is armed, so does this. The task is as before, but for two: a
  /// wait for something else fails with the same, and one that idled wakes.
  ///
  /// @param task of this scheduler
  /// @param waitable what to wait for
  /// @return false, and no effect, if the task waits for just this already, was cancelled and has
  ///   not been told yet, is running, blocked in the JDK, or has ended
  public abstract boolean scheduleOn(Task<?> task, Waitable<?> waitable);

  /// Takes a task out of the ready queue, out of its wait, or out of its idling. It stays suspended
  /// until somebody schedules it; what it had received already it then receives.
  ///
  /// @param task of this scheduler
  /// @return whether it was in one; the running task is left alone
  public abstract boolean unschedule(Task<?> task);

  /// {@return whether a task is in the ready queue, the running one included}
  ///
  /// @param task of this scheduler
  public abstract boolean scheduled(Task<?> task);

  /// {@return the tasks in the ready queue, from the head; without the running one}
  public abstract List<Task<?>> readyTasks();
}
