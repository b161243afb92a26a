package dev.rondo.inspector;

import dev.rondo.scheduler.internal.rooms.TaskWait;
import dev.rondo.scheduler.internal.rooms.TaskWait.Holder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The graph of which task waits for which, in several loops. It finds the tasks that can never go
/// on because they wait for each other.
///
/// A wait for any of several tasks ends when one of them acts. A wait for the end of a group ends
/// when all have acted. A task can go on if it waits for no task, if something else can end its
/// wait, or if the tasks that it waits for can go on. All other tasks are stuck. After K. M.
/// Chandy, J. Misra, L. M. Haas, *Distributed deadlock detection* (1983).
final class WaitGraph {

  /// A task, by its loop and its number there. Names may be equal.
  record Key(long loop, long id) {

    static Key of(Holder task) {
      return new Key(task.loop(), task.id());
    }
  }

  private final Map<Key, TaskWait> waits = new LinkedHashMap<>();

  WaitGraph(Collection<TaskWait> waits) {
    for (TaskWait each : waits) {
      this.waits.put(Key.of(each.waiter()), each);
    }
  }

  /// {@return the waits that are in both this graph and a later one} Each look sees each task at a
  /// moment of its own. But all returned waits existed at the moment between the two looks.
  WaitGraph lasting(WaitGraph later) {
    var both = new ArrayList<TaskWait>();
    later.waits.forEach((key, wait) -> {
      TaskWait before = waits.get(key);
      if (before != null && before.stamp() == wait.stamp()) {
        both.add(wait);
      }
    });
    return new WaitGraph(both);
  }

  Collection<TaskWait> waits() {
    return waits.values();
  }

  /// {@return the waits that never end, unless a time limit or a cancellation ends one: waits on
  /// cycles, and waits for tasks on cycles}
  Set<TaskWait> stuck() {
    var needs = new HashMap<Key, Integer>();
    var waitersOf = new HashMap<Key, List<Key>>();
    var goingOn = new ArrayDeque<Key>();
    var free = new HashSet<Key>();
    waits.forEach((key, wait) -> {
      if (!wait.isHeld()) {
        free.add(key);
        goingOn.add(key);
        return;
      }
      Set<Key> holders = new HashSet<>();
      wait.holders().forEach(each -> holders.add(Key.of(each)));
      needs.put(key, wait.needsAll() ? holders.size() : 1);
      for (Key holder : holders) {
        waitersOf.computeIfAbsent(holder, _ -> new ArrayList<>()).add(key);
        if (!waits.containsKey(holder) && free.add(holder)) {
          goingOn.add(holder);
        }
      }
    });
    for (Key task; (task = goingOn.poll()) != null; ) {
      for (Key waiter : waitersOf.getOrDefault(task, List.of())) {
        Integer left = needs.computeIfPresent(waiter, (_, n) -> n == 1 ? null : n - 1);
        if (left == null && free.add(waiter)) {
          goingOn.add(waiter);
        }
      }
    }
    var stuck = new HashSet<TaskWait>();
    needs.keySet().forEach(key -> stuck.add(of(key)));
    return stuck;
  }

  private TaskWait of(Key key) {
    TaskWait wait = waits.get(key);
    if (wait == null) {
      throw new AssertionError("no wait of " + key);
    }
    return wait;
  }

  /// {@return the tasks of each cycle among some waits} Each task of a cycle waits, directly or
  /// not, for all the others.
  ///
  /// Source: R. Tarjan, *Depth-first search and linear graph algorithms* (1972), without recursion.
  List<List<TaskWait>> cycles(Set<TaskWait> among) {
    var search = new CycleSearch(among);
    waits.forEach((key, wait) -> {
      if (among.contains(wait)) {
        search.from(key);
      }
    });
    return search.found;
  }

  private final class CycleSearch {

    /// A task on the path, and the number of its holders that were followed.
    private static final class Step {
      final Key task;
      final List<Key> holders;
      int followed;

      Step(Key task, List<Key> holders) {
        this.task = task;
        this.holders = holders;
      }
    }

    final List<List<TaskWait>> found = new ArrayList<>();
    private final Set<TaskWait> among;
    private final Map<Key, Integer> numbers = new HashMap<>();
    private final Map<Key, Integer> lowest = new HashMap<>();
    private final ArrayDeque<Key> open = new ArrayDeque<>();
    private final Set<Key> isOpen = new HashSet<>();
    private final ArrayDeque<Step> path = new ArrayDeque<>();

    CycleSearch(Set<TaskWait> among) {
      this.among = among;
    }

    void from(Key first) {
      if (numbers.containsKey(first)) {
        return;
      }
      enter(first);
      for (Step at; (at = path.peek()) != null; ) {
        if (at.followed < at.holders.size()) {
          Key next = at.holders.get(at.followed++);
          if (!numbers.containsKey(next)) {
            enter(next);
          } else if (isOpen.contains(next)) {
            lower(at.task, number(numbers, next));
          }
        } else {
          leave(path.pop());
        }
      }
    }

    private void enter(Key task) {
      numbers.put(task, numbers.size());
      lowest.put(task, number(numbers, task));
      open.push(task);
      isOpen.add(task);
      List<Key> holders =
          of(task).holders().stream()
              .map(Key::of)
              .filter(each -> waits.containsKey(each) && among.contains(of(each)))
              .toList();
      path.push(new Step(task, holders));
    }

    private void leave(Step step) {
      int low = number(lowest, step.task);
      Step below = path.peek();
      if (below != null) {
        lower(below.task, low);
      }
      if (low != number(numbers, step.task)) {
        return;
      }
      var cycle = new ArrayList<TaskWait>();
      Key each;
      do {
        each = open.pop();
        isOpen.remove(each);
        cycle.add(of(each));
      } while (!each.equals(step.task));
      if (cycle.size() > 1 || step.holders.contains(step.task)) {
        found.add(cycle.reversed());
      }
    }

    private void lower(Key task, int number) {
      lowest.merge(task, number, Math::min);
    }

    private static int number(Map<Key, Integer> numbers, Key task) {
      Integer number = numbers.get(task);
      return number == null ? Integer.MAX_VALUE : number;
    }
  }
}
