package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.addon.TaskMetrics;
import dev.rondo.scheduler.engine.util.HolderNames;
import dev.rondo.scheduler.engine.util.Stacks;
import dev.rondo.scheduler.engine.util.WaitDescriptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Describes tasks.
public final class TaskInfos {

  /// The most tasks that [#listOf] describes, so that a report stays readable.
  private static final int MOST_LISTED = 1_000;

  private TaskInfos() {}

  /// See [TaskInfo#of].
  public static TaskInfo of(Task<?> task) {
    TaskCore<?> core = TaskCore.of(task);
    core.loop.checkCaller();
    return core.info();
  }

  /// See [TaskMetrics#of].
  public static Optional<TaskMetrics> metricsOf(Task<?> task) {
    TaskCore<?> core = TaskCore.of(task);
    core.loop.checkCaller();
    return Optional.ofNullable(meterOf(core)).map(Supplier::get);
  }

  private static @Nullable Supplier<TaskMetrics> meterOf(TaskCore<?> task) {
    TaskExtras has = task.extras;
    return has == null ? null : has.meter;
  }

  /// {@return what a task is doing, with its stack}
  static TaskInfo of(TaskCore<?> task, long nowNanos) {
    boolean isRunning = task.taskState() == TaskState.RUNNING;
    return of(task, nowNanos, List.of(isRunning ? Stacks.ofRunningTask() : task.stackTrace()));
  }

  /// {@return what a task is doing}
  static TaskInfo withoutStack(TaskCore<?> task, long nowNanos) {
    return of(task, nowNanos, List.of());
  }

  /// {@return what the first thousand of some tasks are doing, with their stacks}
  public static List<TaskInfo> listOf(List<TaskCore<?>> tasks, long nowNanos) {
    return tasks.stream().limit(MOST_LISTED).map(task -> of(task, nowNanos)).toList();
  }

  private static TaskInfo of(TaskCore<?> task, long nowNanos, List<StackTraceElement> stack) {
    Waitable<?> awaited = task.awaited();
    TaskState state = task.taskState();
    boolean out =
        switch (state) {
          case WAITING, SUSPENDED, IDLING, BLOCKED -> true;
          case NEW, READY, RUNNING, SUCCEEDED, FAILED, CANCELLED -> false;
        };
    Supplier<TaskMetrics> meter = meterOf(task);
    return new TaskInfo(
        task.id(),
        task.name(),
        state,
        task.isDaemon(),
        awaited == null ? null : WaitDescriptions.describe(awaited),
        awaited == null ? null : HolderNames.of(awaited),
        Duration.ofNanos(out ? Math.max(0, nowNanos - task.sinceNanos) : 0),
        sinceLastWake(task, nowNanos),
        task.parentId(),
        meter == null ? null : meter.get(),
        stack);
  }

  private static @Nullable Duration sinceLastWake(TaskCore<?> task, long nowNanos) {
    long wokenNanos = task.wokenNanos;
    return wokenNanos == TaskCore.NOT_WOKEN
        ? null
        : Duration.ofNanos(Math.max(0, nowNanos - wokenNanos));
  }
}
