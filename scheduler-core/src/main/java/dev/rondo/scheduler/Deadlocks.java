package dev.rondo.scheduler;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds out who waits for whom.
final class Deadlocks {

  /// More tasks than this are counted, not described: a report is for reading.
  private static final int MOST_DESCRIBED = 1_000;

  private Deadlocks() {}

  static List<TaskInfo> describe(List<Task<?>> tasks, long nowNanos) {
    return tasks.stream().limit(MOST_DESCRIBED).map(task -> TaskInfo.of(task, nowNanos)).toList();
  }

  /// Names of the tasks on a circle of holders; empty if there is none.
  static List<String> cycle(List<Task<?>> tasks) {
    for (Task<?> start : tasks) {
      List<String> found = cycleFrom(start);
      if (!found.isEmpty()) {
        return found;
      }
    }
    return List.of();
  }

  /// Follows the holders until they end or come back to one met before.
  private static List<String> cycleFrom(Task<?> start) {
    Set<Task<?>> path = new LinkedHashSet<>();
    Task<?> at = start;
    while (at != null && path.add(at)) {
      at = holderOf(at);
    }
    if (at == null) {
      return List.of();
    }
    var names = new ArrayList<String>();
    boolean onCycle = false;
    for (Task<?> each : path) {
      onCycle |= each == at;
      if (onCycle) {
        names.add(each.name());
      }
    }
    return names;
  }

  private static @Nullable Task<?> holderOf(Task<?> task) {
    Waitable<?> awaited = task.awaited();
    return awaited == null ? null : awaited.holder();
  }
}
