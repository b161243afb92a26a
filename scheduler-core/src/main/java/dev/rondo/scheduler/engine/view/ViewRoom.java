package dev.rondo.scheduler.engine.view;

import dev.rondo.scheduler.CancelIgnoredException;
import dev.rondo.scheduler.TaskAbandonedException;
import dev.rondo.scheduler.addon.ContextPropagation;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.engine.CancelRequest;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.Views;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;

/// What the kernel asks of this room.
public final class ViewRoom extends Views {

  /// For the kernel, see [dev.rondo.scheduler.engine.Rooms].
  public ViewRoom() {}

  @Override
  protected View view(Loop loop) {
    return new ObservedLoop(loop);
  }

  @Override
  protected Contexts contexts(
      List<ContextPropagation<?>> propagations, BiConsumer<String, Throwable> report) {
    return new LibraryContexts(propagations, report);
  }

  @Override
  protected Checks checks() {
    return new DebugChecks();
  }

  @Override
  protected TaskInfo info(TaskCore<?> task) {
    return TaskInfos.of(task);
  }

  @Override
  public String naming(String what, List<TaskCore<?>> tasks) {
    return TaskReports.naming(what, tasks);
  }

  @Override
  public TaskAbandonedException abandoned(TaskCore<?> task, int more, String when) {
    return TaskReports.abandoned(task, more, when);
  }

  @Override
  protected CancelIgnoredException deliveredOften(
      TaskCore<?> task, CancelRequest request, int times) {
    return TaskReports.deliveredOften(task, request, times);
  }

  @Override
  protected CancelIgnoredException outOfPatience(
      TaskCore<?> task, CancelRequest request, Duration grace) {
    return TaskReports.outOfPatience(task, request, grace);
  }
}
