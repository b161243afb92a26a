package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskQueue;
import dev.rondo.scheduler.Waitable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The implementation of [TaskQueue].
public final class QueueCore extends TaskQueue {

  private final Loop loop;
  private final ReadyQueue queue;

  QueueCore(Loop loop, ReadyQueue queue) {
    this.loop = loop;
    this.queue = queue;
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
    loop.moveBehind(before, moved);
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
    List<Task<?>> ready = new ArrayList<>(queue.listReady());
    if (loop.runningTask() != null) {
      ready.removeFirst();
    }
    return ready;
  }
}
