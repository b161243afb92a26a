package dev.rondo.scheduler;

import dev.rondo.scheduler.observe.TaskInfo;
import java.util.List;

/// Tasks are left, and nothing that this scheduler knows of can ever wake one of them. The
/// scheduler is intact: the tasks stay as they were, and can be scheduled or cancelled.
///
/// The first line of the message says how many tasks are left and, if some wait for each other in a
/// cycle, which. Then follow one line for each wait on that cycle, and every task with what it
/// waits for, since when, and its stack. A program whose other threads may still wake a task says
/// so with [Scheduler#keepAlive()].
public final class DeadlockException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /// What the message says.
  ///
  /// @param working how many tasks are left, daemons not counted
  /// @param left how many are left in all
  /// @param tasks the first of them
  /// @param cycle the names of the tasks on a cycle
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

  /// {@return the tasks that are left, in the order they were made; the first thousand at most}
  public List<TaskInfo> tasks() {
    return findings.tasks();
  }

  /// {@return the names of tasks that wait for each other in a cycle, each for the next and the
  /// last for the first; empty if there is no cycle}
  public List<String> cycle() {
    return findings.cycle();
  }
}
