package dev.rondo.scheduler.engine.queue;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskQueue;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.Place;
import dev.rondo.scheduler.engine.ReadyQueue;
import dev.rondo.scheduler.engine.TaskCore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The implementation of [TaskQueue].
public final class QueueCore implements TaskQueue {

  private final Loop loop;
  private final ReadyQueue ready;

  private QueueCore(Loop loop) {
    this.loop = loop;
    this.ready = loop.tasks;
  }

  /// {@return the queue of a loop}
  public static TaskQueue of(Loop loop) {
    return new QueueCore(loop);
  }

  private TaskCore<?> own(Task<?> task) {
    return TaskCore.of(task, loop);
  }

  @Override
  public boolean scheduleNext(Task<?> task) {
    return own(task).schedule(Place.FRONT);
  }

  @Override
  public boolean scheduleNext(Task<?> task, @Nullable Object value) {
    return own(task).schedule(value, Place.FRONT);
  }

  @Override
  public boolean scheduleAfter(Task<?> task, Task<?> anchor) {
    Objects.requireNonNull(anchor, "anchor is null");
    TaskCore<?> moved = own(task);
    TaskCore<?> before = own(anchor);
    if (!before.isReady() || !moved.schedule(Place.BACK)) {
      return false;
    }
    ready.moveBehind(before, moved);
    return true;
  }

  @Override
  public boolean scheduleOn(Task<?> task, Waitable<?> waitable) {
    return own(task).scheduleOn(Objects.requireNonNull(waitable, "waitable is null"));
  }

  @Override
  public boolean unschedule(Task<?> task) {
    return own(task).unschedule();
  }

  @Override
  public boolean scheduled(Task<?> task) {
    return own(task).isReady();
  }

  @Override
  public List<Task<?>> readyTasks() {
    loop.checkCaller();
    List<Task<?>> tasks = new ArrayList<>(ready.listReady());
    if (loop.runningTask() != null) {
      tasks.removeFirst();
    }
    return tasks;
  }
}
