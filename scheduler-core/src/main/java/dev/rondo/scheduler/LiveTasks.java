package dev.rondo.scheduler;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Every task that was made and has not ended, in the order they were made; linked through the
/// tasks. Keeps count of those that keep the scheduler running.
final class LiveTasks {

  private @Nullable Task<?> youngest;

  /// Scheduled at least once, not ended, not daemon.
  private int working;

  private int size;

  void add(Task<?> task) {
    Task<?> before = youngest;
    task.older = before;
    if (before != null) {
      before.younger = task;
    }
    youngest = task;
    size++;
  }

  void remove(Task<?> task) {
    Task<?> older = task.older;
    Task<?> younger = task.younger;
    if (older != null) {
      older.younger = younger;
    }
    if (younger != null) {
      younger.older = older;
    } else {
      youngest = older;
    }
    task.older = null;
    task.younger = null;
    size--;
  }

  void startedWorking() {
    working++;
  }

  /// Returns whether that was the last one.
  boolean stoppedWorking() {
    return --working == 0;
  }

  boolean isWorking() {
    return working > 0;
  }

  int size() {
    return size;
  }

  boolean hasOthersThanAddOns() {
    for (Task<?> task = youngest; task != null; task = task.older) {
      if (!task.addOn) {
        return true;
      }
    }
    return false;
  }

  /// Oldest first.
  List<Task<?>> list() {
    var tasks = youngestFirst();
    Collections.reverse(tasks);
    return tasks;
  }

  List<Task<?>> youngestFirst() {
    var tasks = new ArrayList<Task<?>>(size);
    for (Task<?> task = youngest; task != null; task = task.older) {
      tasks.add(task);
    }
    return tasks;
  }
}
