package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.engine.observe.Stacks;
import dev.rondo.scheduler.engine.observe.TaskMeter;
import dev.rondo.scheduler.engine.util.WaitDescriptions;
import dev.rondo.scheduler.observe.TaskInfo;
import java.time.Duration;
import java.util.List;

/// Describes tasks.
public final class TaskInfos {

  private TaskInfos() {}

  /// See [TaskInfo#of].
  public static TaskInfo of(Task<?> task) {
    TaskCore<?> core = TaskCore.of(task);
    core.loop.checkCaller();
    return core.info();
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

  private static TaskInfo of(TaskCore<?> task, long nowNanos, List<StackTraceElement> stack) {
    Waitable<?> awaited = task.awaited();
    TaskState state = task.taskState();
    boolean out =
        switch (state) {
          case WAITING, SUSPENDED, IDLING, BLOCKED -> true;
          case NEW, READY, RUNNING, SUCCEEDED, FAILED, CANCELLED -> false;
        };
    TaskExtras has = task.extras;
    TaskMeter meter = has == null ? null : has.meter;
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
        meter == null ? null : meter.metrics(),
        stack);
  }
}
