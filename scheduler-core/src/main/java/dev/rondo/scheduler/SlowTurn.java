package dev.rondo.scheduler;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A turn that is taking too long, as the watchdog sees it while it goes on; see
/// [SchedulerBuilder#watchdog].
///
/// @param taskId whose turn
/// @param taskName whose turn
/// @param cause what the task does with it
/// @param wall for how long the watchdog has seen it go on, at least
/// @param cpu how much of that the task computed; null if it is not known: in stackful tasks on
///   HANDOFF, and if the loop is on a virtual thread
/// @param stack where the task is now, innermost frame first
public record SlowTurn(
    long taskId,
    String taskName,
    Cause cause,
    Duration wall,
    @Nullable Duration cpu,
    List<StackTraceElement> stack) {

  /// What a slow turn is slow by.
  public enum Cause {
    /// It computes: it should yield, or make its computation elsewhere with [Scheduler#blocking].
    COMPUTING,
    /// It is held up in a blocking call: that should be made with [Scheduler#blocking].
    BLOCKED
  }

  /// Copies the stack.
  public SlowTurn {
    stack = List.copyOf(stack);
  }

  /// {@return a line that names the task, and one for each frame of its stack that is not
  /// machinery}
  public String describe() {
    var text =
        new StringBuilder(
            "task '%s' has kept the loop for %s".formatted(taskName, Durations.readable(wall)));
    text.append(
        switch (cause) {
          case COMPUTING -> ", computing";
          case BLOCKED -> ", blocked";
        });
    if (cpu != null) {
      text.append(" (cpu time ").append(Durations.readable(cpu)).append(")");
    }
    text.append("; it should yield, or use blocking(..):");
    Stacks.held(stack).forEach(frame -> text.append("\n    at ").append(frame));
    return text.toString();
  }
}
