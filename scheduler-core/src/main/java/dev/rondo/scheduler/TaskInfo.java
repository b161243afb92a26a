package dev.rondo.scheduler;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
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
/// @param sinceLastWake how long ago it was last put back into circulation; null if it never was
/// @param parentId the id of the task that made it; empty if it was made outside of tasks
/// @param metrics what it had used; null if the scheduler keeps no metrics
/// @param stack its stack, innermost frame first; empty if it has none: step tasks, and stackful
///   ones that have not begun
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

  static TaskInfo of(Task<?> task, long nowNanos) {
    Waitable<?> awaited = task.awaited();
    TaskState state = task.taskState();
    boolean out =
        switch (state) {
          case WAITING, SUSPENDED, IDLING, BLOCKED -> true;
          case NEW, READY, RUNNING, SUCCEEDED, FAILED, CANCELLED -> false;
        };
    TaskMeter account = task.meter;
    return new TaskInfo(
        task.id(),
        task.name(),
        state,
        task.isDaemon(),
        awaited == null ? null : WaitDescriptions.describe(awaited),
        awaited == null ? null : WaitDescriptions.holderName(awaited),
        Duration.ofNanos(out ? Math.max(0, nowNanos - task.sinceNanos) : 0),
        task.wasWoken ? Duration.ofNanos(Math.max(0, nowNanos - task.wokenNanos)) : null,
        task.parentId(),
        account == null ? null : account.metrics(),
        List.of(state == TaskState.RUNNING ? Stacks.ofRunningTask() : task.stackTrace()));
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
    if (sinceLastWake != null) {
      text.append(", woken ").append(Durations.readable(sinceLastWake)).append(" ago");
    }
    if (parentId.isPresent()) {
      text.append(", made by #").append(parentId.getAsLong());
    }
    if (metrics != null) {
      text.append(", ").append(metrics.describe());
    }
    usefulStack().forEach(frame -> text.append("\n    at ").append(frame));
    return text.toString();
  }

  /// The frames that are not Rondo's own machinery.
  Stream<StackTraceElement> usefulStack() {
    return Stacks.useful(stack);
  }
}
