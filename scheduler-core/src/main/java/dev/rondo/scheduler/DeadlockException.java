package dev.rondo.scheduler;

import dev.rondo.scheduler.addon.TaskInfo;
import java.util.List;

/// Tasks are left, and nothing known to the scheduler can ever wake one of them. The scheduler is
/// intact: the tasks are as they were, and can be scheduled or cancelled.
///
/// The first line of the message says how many tasks are left and, if some wait for each other in a
/// cycle, which. One line for each wait on that cycle follows. Then each task follows, with the
/// event that it waits for, the length of the wait, and its stack. A program whose other threads
/// may still wake a task declares that with [Scheduler#keepAlive()].
public final class DeadlockException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<TaskInfo> tasks;
  private final transient List<String> cycle;

  /// Describes a deadlock.
  ///
  /// @param message the whole report
  /// @param tasks the tasks that are left
  /// @param cycle the names of the tasks that wait for each other in a cycle
  public DeadlockException(String message, List<TaskInfo> tasks, List<String> cycle) {
    super(message);
    this.tasks = List.copyOf(tasks);
    this.cycle = List.copyOf(cycle);
  }

  /// {@return the tasks that are left, in the order they were made; the first thousand at most}
  public List<TaskInfo> tasks() {
    return tasks;
  }

  /// {@return the names of tasks that wait for each other in a cycle, each for the next and the
  /// last for the first; empty if there is no cycle}
  public List<String> cycle() {
    return cycle;
  }
}
