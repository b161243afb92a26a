package dev.rondo.scheduler.engine.view;

import dev.rondo.scheduler.CancelIgnoredException;
import dev.rondo.scheduler.TaskAbandonedException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.engine.CancelRequest;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.List;

/// Makes the exceptions that the failure handler receives about tasks that do not end.
public final class TaskReports {

  /// The maximum number of tasks that a report lists. The report only counts the others.
  private static final int MOST_NAMED = 10;

  private TaskReports() {}

  /// A line, followed by a description of each task, or of some tasks if there are many.
  public static String naming(String what, List<TaskCore<?>> tasks) {
    var text = new StringBuilder(what);
    List<TaskCore<?>> named = tasks.subList(0, Math.min(tasks.size(), MOST_NAMED));
    for (TaskInfo task : TaskCore.infos(named)) {
      text.append("\n  ").append(task);
    }
    if (tasks.size() > MOST_NAMED) {
      text.append("\n  and ").append(tasks.size() - MOST_NAMED).append(" more");
    }
    return text.toString();
  }

  public static TaskAbandonedException abandoned(TaskCore<?> task, int more, String when) {
    String others = more == 0 ? "" : ", and %d more that had not begun,".formatted(more);
    return new TaskAbandonedException(
        task + others + " was abandoned when the scheduler " + when + whyOf(task),
        Stacks.ofParked(task));
  }

  private static String whyOf(TaskCore<?> task) {
    var why = new StringBuilder();
    if (task.cancelRequest() != null) {
      why.append(" after its cancellation");
      if (task.pendingCancel() == null) {
        why.append(", which the shielded code that it runs does not receive");
      }
    }
    return why.append(waitOf(task)).toString();
  }

  private static String waitOf(TaskCore<?> task) {
    Waitable<?> awaited = task.awaited();
    return awaited == null ? "" : "; it waits for " + ReportText.describe(awaited);
  }

  /// The report of the current task, which has received its cancellation many times.
  public static CancelIgnoredException deliveredOften(
      TaskCore<?> task, CancelRequest request, int times) {
    return ignored(
        "task '%s' has received its cancellation %d times, and suspends again: let TaskCancelled pass"
            .formatted(task.name(), times),
        request);
  }

  /// The report of a task, not the current one, whose time to end is over.
  public static CancelIgnoredException outOfPatience(
      TaskCore<?> task, CancelRequest request, Duration grace) {
    CancelIgnoredException late =
        ignored(
            "%s has not ended within %s of its cancellation%s"
                .formatted(task, ReportText.duration(grace), waitOf(task)),
            request);
    late.setStackTrace(Stacks.ofParked(task));
    return late;
  }

  private static CancelIgnoredException ignored(String message, CancelRequest request) {
    return new CancelIgnoredException(message + " (" + request.describe() + ")", request.site());
  }
}
