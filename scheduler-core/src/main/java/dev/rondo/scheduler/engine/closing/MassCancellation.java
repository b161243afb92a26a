package dev.rondo.scheduler.engine.closing;

import dev.rondo.scheduler.engine.CancelRequest;
import dev.rondo.scheduler.engine.Cancellation;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.ReadyQueue;
import dev.rondo.scheduler.engine.TaskCore;
import java.util.List;
import java.util.function.Predicate;

/// Cancels the tasks of a scheduler that ends, from the youngest to the oldest.
///
/// Confined to the scheduler's thread.
public final class MassCancellation {

  private final Loop loop;
  private final ReadyQueue tasks;

  public MassCancellation(Loop loop) {
    this.loop = loop;
    this.tasks = loop.tasks;
  }

  /// Cancels every task but the add-ons. The tasks that end at once, because they have no stack,
  /// come last. A task that joins such a task has then left the join already, and ends as
  /// cancelled. Otherwise the join would fail, and the joining task would fail with it.
  public void cancelTasks(String reason) {
    CancelRequest all = request(reason);
    List<TaskCore<?>> youngestFirst = tasks.list().reversed();
    cancelEach(youngestFirst, all, task -> !task.isAddOn() && !Cancellation.endsAtOnce(task));
    cancelEach(youngestFirst, all, task -> !task.isAddOn() && Cancellation.endsAtOnce(task));
  }

  /// Cancels the tasks of all add-ons.
  void cancelAddOns(String reason) {
    if (tasks.size() > 0) {
      cancelEach(tasks.list().reversed(), request(reason), task -> task.isAddOn());
    }
  }

  private CancelRequest request(String reason) {
    return CancelRequest.here("the scheduler", reason, loop.callerName(), null);
  }

  private void cancelEach(List<TaskCore<?>> list, CancelRequest all, Predicate<TaskCore<?>> which) {
    for (TaskCore<?> task : list) {
      if (which.test(task)) {
        if (!task.cancelHere(all.ofTask(task.name()))) {
          task.applyCancel(); // the task was cancelled before, and may have been unscheduled since
        }
        if (task.isReady() && !loop.isRunning(task)) {
          tasks.remove(task); // a task that receives it at a yield also has its turn in this order
          tasks.addLast(task);
        }
      }
    }
  }
}
