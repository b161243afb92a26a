package dev.rondo.scheduler;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds out who waits for whom.
///
/// A task that waits for one thing waits for its holder. One that waits for any of several things
/// waits for any of their holders: that it is on a cycle does not prove that it is stuck, but this
/// is asked only when everybody is.
final class Deadlocks {

  /// More tasks than this are counted, not described: a report is for reading.
  private static final int MOST_DESCRIBED = 1_000;

  /// That a task waits for another, and by what.
  private record Edge(Task<?> from, Waitable<?> by, Task<?> to) {

    String describe() {
      String what =
          by == to ? " joins " : " waits for " + WaitDescriptions.describe(by) + ", held by ";
      return "'" + from.name() + "'" + what + "'" + to.name() + "'";
    }
  }

  private Deadlocks() {}

  static List<TaskInfo> describe(List<Task<?>> tasks, long nowNanos) {
    return tasks.stream().limit(MOST_DESCRIBED).map(task -> TaskInfo.of(task, nowNanos)).toList();
  }

  /// What to throw when nothing can wake the tasks that are left.
  static DeadlockException of(Loop loop) {
    DeadlockException deadlock = report(loop.tasks.listWithoutAddOns(), loop.roundNanos);
    loop.failures.suppressAddOnsIn(deadlock);
    return deadlock;
  }

  private static DeadlockException report(List<Task<?>> left, long nowNanos) {
    List<Edge> cycle = cycle(left);
    return new DeadlockException(
        new DeadlockException.Findings(
            left.stream().filter(task -> !task.isDaemon()).count(),
            left.size(),
            describe(left, nowNanos),
            cycle.stream().map(edge -> edge.from().name()).toList(),
            cycle.stream().map(Edge::describe).toList()));
  }

  /// The waits on one cycle; empty if there is none. Depth first, each task once.
  private static List<Edge> cycle(List<Task<?>> tasks) {
    Set<Task<?>> seen = new HashSet<>();
    for (Task<?> start : tasks) {
      if (seen.add(start)) {
        List<Edge> found = cycleFrom(start, seen);
        if (!found.isEmpty()) {
          return found;
        }
      }
    }
    return List.of();
  }

  private static List<Edge> cycleFrom(Task<?> start, Set<Task<?>> seen) {
    Map<Task<?>, @Nullable Edge> path = new LinkedHashMap<>(); // each with how it goes on
    Deque<Task<?>> tasks = new ArrayDeque<>();
    Deque<Deque<Edge>> untried = new ArrayDeque<>(); // of each task on the path
    path.put(start, null);
    tasks.push(start);
    untried.push(edgesOf(start));
    while (!tasks.isEmpty()) {
      Edge next = untried.element().poll();
      if (next == null) {
        path.remove(tasks.pop());
        untried.pop();
        continue;
      }
      path.put(next.from(), next);
      if (path.containsKey(next.to())) {
        return cycleThrough(next.to(), path);
      }
      if (seen.add(next.to())) {
        path.put(next.to(), null);
        tasks.push(next.to());
        untried.push(edgesOf(next.to()));
      }
    }
    return List.of();
  }

  private static List<Edge> cycleThrough(Task<?> first, Map<Task<?>, @Nullable Edge> path) {
    var cycle = new ArrayList<Edge>();
    Task<?> at = first;
    do {
      Edge edge = path.get(at);
      if (edge == null) {
        throw new AssertionError("the path to a cycle ends at " + at);
      }
      cycle.add(edge);
      at = edge.to();
    } while (at != first);
    return cycle;
  }

  private static Deque<Edge> edgesOf(Task<?> task) {
    var edges = new ArrayDeque<Edge>();
    Waitable<?> awaited = task.awaited();
    if (awaited != null) {
      WaitDescriptions.eachHolder(awaited, (by, holder) -> edges.add(new Edge(task, by, holder)));
    }
    return edges;
  }
}
