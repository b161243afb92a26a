package dev.rondo.observe;

import dev.rondo.scheduler.engine.view.Stacks;
import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A turn that takes too long, reported by the watchdog while the turn is under way; see
/// [Observers#watchdog].
///
/// @param taskId the number of the task that has the turn; [#NO_TASK] if posted actions have it,
///   see [dev.rondo.scheduler.Scheduler#post(Runnable)]
/// @param taskName the name of the task, or the class of the running action
/// @param cause the reason why the turn is slow
/// @param wall the time that the turn has taken so far, or more
/// @param cpu the CPU time that the turn has used; null if it is not known: for stackful tasks on
///   HANDOFF, and for a loop on a virtual thread
/// @param stack the stack of the task, innermost frame first
public record SlowTurn(
    long taskId,
    String taskName,
    Cause cause,
    Duration wall,
    @Nullable Duration cpu,
    List<StackTraceElement> stack) {

  /// The [#taskId()] of a turn without a task.
  public static final long NO_TASK = 0;

  /// The reason why a turn is slow.
  public enum Cause {
    /// The task computes. It should yield, or compute on another thread with
    /// [dev.rondo.scheduler.Scheduler#blocking].
    COMPUTING,
    /// The task is in a blocking call, which it should make with
    /// [dev.rondo.scheduler.Scheduler#blocking].
    BLOCKED
  }

  /// Copies the stack.
  public SlowTurn {
    stack = List.copyOf(stack);
  }

  /// {@return one line about the task, and one for each frame of its stack that is not Rondo's own
  /// machinery}
  @Override
  public String toString() {
    var text =
        new StringBuilder(
            "%s'%s' has kept the loop for %s"
                .formatted(
                    taskId == NO_TASK ? "" : "task ",
                    ReportText.escaped(taskName),
                    ReportText.duration(wall)));
    text.append(
        switch (cause) {
          case COMPUTING -> ", computing";
          case BLOCKED -> ", blocked";
        });
    if (cpu != null) {
      text.append(" (cpu time ").append(ReportText.duration(cpu)).append(")");
    }
    if (taskId == NO_TASK) {
      text.append("; it should be short, or spawn a task:");
    } else {
      text.append(
          switch (cause) {
            case COMPUTING -> "; it should yield, or use blocking(..):";
            case BLOCKED -> "; it should use blocking(..), or a Mutex in place of a lock:";
          });
    }
    Stacks.held(stack).forEach(frame -> text.append("\n    at ").append(frame));
    return text.toString();
  }
}
