package dev.rondo.scheduler;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The ready queue of a [Scheduler], for code that controls the order of tasks. It moves tasks
/// within the queue, makes tasks wait for events, and lists the tasks that are ready.
///
/// See [Scheduler#queue()]. Confined to the scheduler's thread. No method is a suspension point.
/// Programs do not implement this interface.
public interface TaskQueue {

  /// [Scheduler#scheduleTask(Task)], but at the front: directly behind the running task.
  ///
  /// @param task of this scheduler
  /// @return false, with no effect, if the task is ready or running already, is blocked in the JDK,
  ///   or has ended
  boolean scheduleNext(Task<?> task);

  /// [#scheduleNext(Task)] with a value.
  ///
  /// @param task of this scheduler
  /// @param value for its next turn
  /// @return false, with no effect, if the task is ready or running already, has received something
  ///   that it has not taken, is blocked in the JDK, or has ended
  boolean scheduleNext(Task<?> task, @Nullable Object value);

  /// [Scheduler#scheduleTask(Task)], but directly behind another task that is ready or running.
  ///
  /// @param task of this scheduler
  /// @param anchor of this scheduler
  /// @return false, with no effect, if the anchor is neither ready nor running, or if the task is
  ///   ready or running already, is blocked in the JDK, or has ended
  boolean scheduleAfter(Task<?> task, Task<?> anchor);

  /// Makes a task wait for an event instead of putting it into the ready queue. The task becomes
  /// ready when the event comes, or at once if the event has come, and receives the value of the
  /// event. A ready task leaves the ready queue. A task that waits for something else gives up that
  /// wait. A task that is cancelled before its first turn drops the value. Never a suspension
  /// point.
  ///
  /// If [Waitable#arm] throws, this method throws the same exception. The task is then as before,
  /// with two exceptions: an earlier wait fails with the same exception, and an idling task wakes.
  ///
  /// @param task of this scheduler
  /// @param waitable what to wait for
  /// @return false, with no effect, if the task waits for this event already, is running, is
  ///   blocked in the JDK, or has ended. Also false if the task has received something that it has
  ///   not taken (a value, a failure, an element, a permit, a lock), or has not yet learned that it
  ///   is cancelled
  boolean scheduleOn(Task<?> task, Waitable<?> waitable);

  /// Removes a task from the ready queue, or ends its wait or its idling. The task stays suspended
  /// until it is scheduled. It keeps what it has received; until it has taken that, it cannot be
  /// scheduled with another value.
  ///
  /// @param task of this scheduler
  /// @return false, with no effect, if the task is running, or is neither ready, waiting nor idling
  boolean unschedule(Task<?> task);

  /// {@return whether a task is in the ready queue, the running one included}
  ///
  /// @param task of this scheduler
  boolean scheduled(Task<?> task);

  /// {@return the tasks in the ready queue, from the head; without the running one}
  List<Task<?>> readyTasks();
}
