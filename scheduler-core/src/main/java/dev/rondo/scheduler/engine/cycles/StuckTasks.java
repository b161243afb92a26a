package dev.rondo.scheduler.engine.cycles;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.rooms.HeldWait;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Finds the tasks that can never go on, because they wait for each other.
///
/// A task can go on if it does not wait, or if its wait has no holder, see [HeldWait]. A task that
/// waits for a choice can go on if one of the holders can go on. A task that waits for the end of a
/// group can go on if all tasks of the group can go on. All other tasks are stuck. After E. W.
/// Dijkstra and C. S. Scholten, and K. M. Chandy, J. Misra, L. M. Haas, *Distributed deadlock
/// detection* (1983), with both models of that paper.
final class StuckTasks {

  /// For each task that waits, the number of holders that have to go on before the task can go on.
  private final Map<TaskCore<?>, Integer> needs = new HashMap<>();

  private final Map<TaskCore<?>, List<TaskCore<?>>> waitersOf = new HashMap<>();
  private final ArrayDeque<TaskCore<?>> goingOn = new ArrayDeque<>();
  private final Set<TaskCore<?>> seen = new HashSet<>();
  private final Set<TaskCore<?>> freed = new HashSet<>();

  private StuckTasks() {}

  /// {@return the stuck tasks among the given tasks and the tasks for which they wait}
  static Set<TaskCore<?>> among(Iterable<TaskCore<?>> tasks) {
    var search = new StuckTasks();
    search.follow(tasks);
    search.setFree();
    return search.needs.keySet();
  }

  private void follow(Iterable<TaskCore<?>> tasks) {
    var unseen = new ArrayDeque<TaskCore<?>>();
    tasks.forEach(task -> add(task, unseen));
    for (TaskCore<?> task; (task = unseen.poll()) != null; ) {
      Waitable<?> awaited = task.awaited();
      if (awaited == null || !HeldWait.isHeld(awaited, each -> each.loop.isCaller())) {
        goingOn.add(task);
        continue;
      }
      TaskCore<?> waiter = task;
      var holders = new ArrayList<TaskCore<?>>();
      boolean _ =
          HeldWait.eachHolder(
              awaited, (by, holder) -> !holder.loop.isCaller() || holders.add(holder));
      boolean all = HeldWait.needsAllHolders(awaited);
      needs.put(waiter, all ? holders.size() : 1);
      for (TaskCore<?> holder : holders) {
        waitersOf.computeIfAbsent(holder, key -> new ArrayList<>()).add(waiter);
        add(holder, unseen);
      }
    }
  }

  private void add(TaskCore<?> task, ArrayDeque<TaskCore<?>> unseen) {
    if (seen.add(task)) {
      unseen.add(task);
    }
  }

  private void setFree() {
    for (TaskCore<?> task; (task = goingOn.poll()) != null; ) {
      for (TaskCore<?> waiter : waitersOf.getOrDefault(task, List.of())) {
        // null once the task can go on: for a choice, one holder is enough
        if (needs.computeIfPresent(waiter, (key, left) -> left == 1 ? null : left - 1) == null
            && freed.add(waiter)) {
          goingOn.add(waiter);
        }
      }
    }
  }
}
