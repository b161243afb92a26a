package dev.rondo.scheduler;

import java.util.List;

/// Tasks are left, and nothing that this scheduler knows of can ever wake one of them. The
/// scheduler is intact: the tasks are still where they were, and can be scheduled or cancelled.
///
/// The message is one line that says how many and, if tasks wait for each other in a circle, which;
/// then one line for each wait on that circle; then every task with what it waits for, since when,
/// and its stack. If other threads may still wake somebody, say so with [Scheduler#keepAlive()].
public final class DeadlockException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /// What there is to say.
  ///
  /// @param working how many tasks are left that the scheduler does not end without
  /// @param left how many are left in all
  /// @param tasks the first of them
  /// @param cycle names of those on a circle
  /// @param waits what each of these waits for
  record Findings(
      long working, int left, List<TaskInfo> tasks, List<String> cycle, List<String> waits) {}

  private final transient Findings findings;

  DeadlockException(Findings findings) {
    super(message(findings));
    this.findings = findings;
  }

  private static String message(Findings found) {
    var text = new StringBuilder("deadlock: ");
    text.append(found.working() == 1 ? "1 task is" : found.working() + " tasks are");
    text.append(" left and nothing can wake ");
    text.append(found.working() == 1 ? "it" : "any of them");
    if (found.cycle().isEmpty()) {
      text.append(
          "; if another thread will, say so with scheduler.keepAlive(), or await"
              + " scheduler.completion(future)");
    } else {
      text.append("; cycle: '").append(String.join("' -> '", found.cycle()));
      text.append("' -> '").append(found.cycle().getFirst()).append("'");
    }
    for (String wait : found.waits()) {
      text.append("\n  ").append(wait);
    }
    for (TaskInfo task : found.tasks()) {
      text.append("\n  ").append(task.describe());
    }
    int more = found.left() - found.tasks().size();
    if (more > 0) {
      text.append("\n  and ").append(more).append(" more");
    }
    return text.toString();
  }

  /// {@return the tasks that were left, in the order they were made} Not more than the first
  /// thousand.
  public List<TaskInfo> tasks() {
    return findings.tasks();
  }

  /// {@return names of the tasks that wait for each other in a circle, each for the next, the last
  /// for the first; empty if there is no such circle}
  public List<String> cycle() {
    return findings.cycle();
  }
}
