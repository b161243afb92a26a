package dev.rondo.scheduler.engine.view;

import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.addon.TaskMetrics;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.TaskExtras;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.TaskWait;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Describes tasks.
public final class TaskInfos {

  private TaskInfos() {}

  /// {@return a description of a task, with its stack}
  public static TaskInfo of(TaskCore<?> task) {
    boolean isRunning = task.taskState() == TaskState.RUNNING;
    return of(task, List.of(isRunning ? Stacks.ofRunningTask() : Stacks.ofParked(task)));
  }

  /// {@return a description of a task, without its stack}
  static TaskInfo withoutStack(TaskCore<?> task) {
    return of(task, List.of());
  }

  private static TaskInfo of(TaskCore<?> task, List<StackTraceElement> stack) {
    long nowNanos = task.loop.passNanos;
    Waitable<?> awaited = task.awaited();
    TaskState state = task.taskState();
    boolean out =
        switch (state) {
          case WAITING, SUSPENDED, IDLING, BLOCKED -> true;
          case NEW, READY, RUNNING, SUCCEEDED, FAILED, CANCELLED -> false;
        };
    TaskExtras has = task.extras;
    Supplier<TaskMetrics> meter = has == null ? null : has.meter;
    return new TaskInfo(
        task.id(),
        task.name(),
        state,
        task.isDaemon(),
        awaited == null ? null : ReportText.describe(awaited),
        awaited == null ? null : TaskWait.holderName(awaited),
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
