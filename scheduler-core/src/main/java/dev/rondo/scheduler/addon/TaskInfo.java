package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.engine.util.StackFilter;
import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// A description of one task at one moment.
///
/// @param id its number
/// @param name its name
/// @param state its state
/// @param isDaemon whether `start()` returns without waiting for it
/// @param waitingFor what it waits for; null if it is not waiting
/// @param holder the name of the task that must act before the event can come; null if there is no
///   single such task
/// @param since how long it has been parked; zero if it is not
/// @param sinceLastWake how long ago it was last woken; null if it never was
/// @param parentId the number of the task that made it; empty if it was made outside of tasks
/// @param metrics what it has used; null if the scheduler keeps no metrics
/// @param stack innermost frame first; empty if the task has no stack: a step task, or one that has
///   not begun
public record TaskInfo(
    long id,
    String name,
    TaskState state,
    boolean isDaemon,
    @Nullable String waitingFor,
    @Nullable String holder,
    Duration since,
    @Nullable Duration sinceLastWake,
    OptionalLong parentId,
    @Nullable TaskMetrics metrics,
    List<StackTraceElement> stack) {

  /// Copies the stack.
  public TaskInfo {
    stack = List.copyOf(stack);
  }

  /// {@return the frames of the task's stack that are not Rondo's own machinery, innermost first}
  public List<StackTraceElement> usefulStack() {
    return StackFilter.ALL.useful(stack);
  }

  /// {@return one line for the task and one for each frame of its stack that is not Rondo's own
  /// machinery}
  @Override
  public String toString() {
    var text = new StringBuilder();
    text.append("#%d '%s' %s".formatted(id, ReportText.escaped(name), state));
    if (isDaemon) {
      text.append(" daemon");
    }
    if (waitingFor != null) {
      text.append(" for ").append(ReportText.escaped(waitingFor));
    }
    if (holder != null) {
      text.append(", held by '").append(ReportText.escaped(holder)).append("'");
    }
    if (!since.isZero()) {
      text.append(", since ").append(ReportText.duration(since));
    }
    if (sinceLastWake != null) {
      text.append(", woken ").append(ReportText.duration(sinceLastWake)).append(" ago");
    }
    if (parentId.isPresent()) {
      text.append(", made by #").append(parentId.getAsLong());
    }
    if (metrics != null) {
      text.append(", ").append(metrics);
    }
    usefulStack().forEach(frame -> text.append("\n    at ").append(frame));
    return text.toString();
  }
}
