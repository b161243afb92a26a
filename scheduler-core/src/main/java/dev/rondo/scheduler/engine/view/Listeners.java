package dev.rondo.scheduler.engine.view;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.addon.TaskListener;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.internal.rooms.EngineListener;
import java.util.List;
import java.util.function.BiConsumer;

/// Calls the listeners of a program, which may throw, block, or try to suspend.
final class Listeners implements EngineListener {

  private final List<TaskListener> all;
  private final Loop loop;

  Listeners(List<TaskListener> all, Loop loop) {
    this.all = all;
    this.loop = loop;
  }

  @Override
  public void created(Task<?> task) {
    call(TaskListener::created, task);
  }

  @Override
  public void beforeTurn(Task<?> task) {
    call(TaskListener::beforeTurn, task);
  }

  @Override
  public void afterTurn(Task<?> task) {
    TaskState state = task.taskState();
    call(TaskListener::afterTurn, task);
    if (state.isSchedulable() || state == TaskState.BLOCKED) {
      call(TaskListener::suspended, task);
    }
  }

  @Override
  public void ended(Task<?> task) {
    call(TaskListener::done, task);
  }

  /// Calls every listener. No task can suspend meanwhile.
  private void call(BiConsumer<TaskListener, Task<?>> method, Task<?> task) {
    boolean wasHidden = loop.hideCurrentTask();
    try {
      for (TaskListener each : all) {
        loop.runUserCode(() -> "listener " + nameOf(each), () -> call(each, method, task));
      }
    } finally {
      loop.restoreCurrentTask(wasHidden);
    }
  }

  private void call(TaskListener listener, BiConsumer<TaskListener, Task<?>> method, Task<?> task) {
    try {
      method.accept(listener, task);
    } catch (Throwable e) {
      loop.report("listener " + nameOf(listener) + " of task '" + task.name() + "'", e);
    }
  }

  private static String nameOf(TaskListener listener) {
    return listener.getClass().getName(); // toString() of the listener may throw too
  }

  @Override
  public void closed() {
    for (TaskListener each : all.reversed()) {
      try {
        each.closed();
      } catch (Throwable e) {
        loop.report("listener " + nameOf(each) + " of a closed scheduler", e);
      }
    }
  }
}
