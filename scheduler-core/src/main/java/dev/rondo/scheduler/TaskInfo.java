package dev.rondo.scheduler;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one task was doing at one moment.
///
/// @param id its number
/// @param name its name
/// @param state where it was in its life
/// @param isDaemon whether `start()` would not wait for it
/// @param waitingFor what it awaited; null if it was not waiting
/// @param holder name of the task that must act first; null if there is no one such task
/// @param since for how long it had been out of circulation
/// @param stack its stack, innermost frame first; empty for step tasks
public record TaskInfo(
    long id,
    String name,
    TaskState state,
    boolean isDaemon,
    @Nullable String waitingFor,
    @Nullable String holder,
    Duration since,
    List<StackTraceElement> stack) {

  /// Copies the stack.
  public TaskInfo {
    stack = List.copyOf(stack);
  }

  static TaskInfo of(Task<?> task, long nowNanos) {
    Waitable<?> awaited = task.awaited();
    Task<?> holder = awaited == null ? null : awaited.holder();
    boolean out =
        switch (task.taskState()) {
          case WAITING, SUSPENDED, IDLING, BLOCKED -> true;
          case NEW, READY, RUNNING, SUCCEEDED, FAILED, CANCELLED -> false;
        };
    return new TaskInfo(
        task.id(),
        task.name(),
        task.taskState(),
        task.isDaemon(),
        awaited == null ? null : awaited.toString(),
        holder == null ? null : holder.name(),
        Duration.ofNanos(out ? Math.max(0, nowNanos - task.sinceNanos) : 0),
        List.of(task.stackTrace()));
  }

  /// {@return one line for the task and one for each frame of its stack that is not Rondo's own
  /// machinery}
  public String describe() {
    var text = new StringBuilder();
    text.append("#%d '%s' %s".formatted(id, name, state));
    if (isDaemon) {
      text.append(" daemon");
    }
    if (waitingFor != null) {
      text.append(" for ").append(waitingFor);
    }
    if (holder != null) {
      text.append(", held by '").append(holder).append("'");
    }
    if (!since.isZero()) {
      text.append(", since ").append(Durations.readable(since));
    }
    stack.stream()
        .dropWhile(TaskInfo::isWayOut)
        .filter(frame -> !isMachinery(frame))
        .forEach(frame -> text.append("\n    at ").append(frame));
    return text.toString();
  }

  /// Whether a frame at the top of a stack only leads out of the task.
  private static boolean isWayOut(StackTraceElement frame) {
    return frame.getClassName().startsWith("java.") || isMachinery(frame);
  }

  private static boolean isMachinery(StackTraceElement frame) {
    String type = frame.getClassName();
    return type.startsWith("jdk.internal.vm.")
        || type.startsWith("java.lang.VirtualThread")
        || type.startsWith("dev.rondo.scheduler.coroutine.")
        || type.equals(StackfulTask.class.getName());
  }
}
