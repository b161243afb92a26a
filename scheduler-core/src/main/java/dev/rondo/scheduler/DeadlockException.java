package dev.rondo.scheduler;

import java.util.List;

/// Tasks are left, and nothing that this scheduler knows of can ever wake one of them. The
/// scheduler is intact: the tasks are still where they were, and can be scheduled or cancelled.
///
/// The message has the cycle of tasks that wait for each other, if there is one, and then every
/// task with what it waits for, since when, and its stack. If other threads may still wake
/// somebody, say so with [Scheduler#expectOutsideCalls()].
public final class DeadlockException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<TaskInfo> tasks;
  private final transient List<String> cycle;

  DeadlockException(List<TaskInfo> tasks, List<String> cycle) {
    super(message(tasks, cycle));
    this.tasks = List.copyOf(tasks);
    this.cycle = List.copyOf(cycle);
  }

  private static String message(List<TaskInfo> tasks, List<String> cycle) {
    long working = tasks.stream().filter(task -> !task.isDaemon()).count();
    var text = new StringBuilder("deadlock: ");
    text.append(working == 1 ? "1 task is" : working + " tasks are");
    text.append(" left and nothing can wake ").append(working == 1 ? "it" : "any of them");
    if (!cycle.isEmpty()) {
      text.append("; cycle: '").append(String.join("' -> '", cycle));
      text.append("' -> '").append(cycle.getFirst()).append("'");
    }
    for (TaskInfo task : tasks) {
      text.append("\n  ").append(task.describe());
    }
    return text.toString();
  }

  /// {@return every task that was left, in the order they were made}
  public List<TaskInfo> tasks() {
    return tasks;
  }

  /// {@return names of the tasks that wait for each other in a circle, each for the next, the last
  /// for the first; empty if there is no such circle}
  public List<String> cycle() {
    return cycle;
  }
}
