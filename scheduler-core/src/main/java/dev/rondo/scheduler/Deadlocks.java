package dev.rondo.scheduler;

import dev.rondo.scheduler.engine.util.WaitDescriptions;
import dev.rondo.scheduler.observe.TaskInfo;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Reports which tasks wait for each other, when nothing can wake them.
///
/// A task that waits for one thing waits for its holder. A task that waits for any of several
/// things waits for any of their holders. A cycle through such a task does not prove a deadlock,
/// but a report is made only when nothing can wake any task.
final class Deadlocks {

  /// A report describes no more tasks than this, and counts the others: it is meant to be read.
  private static final int MOST_DESCRIBED = 1_000;

  /// A task waits for another.
  private record Edge(Task<?> from, Waitable<?> by, Task<?> to) {

    String describe() {
      String what =
          by == to ? " joins " : " waits for " + WaitDescriptions.describe(by) + ", held by ";
      return "'" + from.name() + "'" + what + "'" + to.name() + "'";
    }
  }

  private Deadlocks() {}

  static List<TaskInfo> describe(List<Task<?>> tasks, long nowNanos) {
    return tasks.stream().limit(MOST_DESCRIBED).map(task -> TaskInfos.of(task, nowNanos)).toList();
  }

  /// {@return what to throw if nothing can wake the tasks that are left}
  ///
  /// @param left all tasks but add-ons
  static DeadlockException of(List<Task<?>> left, long nowNanos) {
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
    Map<Task<?>, @Nullable Edge> path =
        new LinkedHashMap<>(); // each task with the edge that leaves
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
      eachHolder(awaited, (by, holder) -> edges.add(new Edge(task, by, holder)));
    }
    return edges;
  }

  /// Visits each task that could end a wait, with the part of the wait that it could end: a choice
  /// and the end of a group may have several.
  private static void eachHolder(Waitable<?> waitable, BiConsumer<Waitable<?>, Task<?>> action) {
    switch (waitable) {
      case Composite.Mapped<?, ?> mapped -> eachHolder(mapped.inner(), action);
      case Composite.Choice<?> choice -> {
        for (Waitable<?> part : choice.parts()) {
          eachHolder(part, action);
        }
      }
      case GroupChildren<?> children ->
          children.left().forEach(child -> action.accept(waitable, child));
      default -> {
        Task<?> holder;
        try {
          holder = waitable.holder();
        } catch (Throwable e) {
          return; // the description of the task says so
        }
        if (holder != null) {
          action.accept(waitable, holder);
        }
      }
    }
  }
}
