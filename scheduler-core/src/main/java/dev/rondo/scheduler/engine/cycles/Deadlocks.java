package dev.rondo.scheduler.engine.cycles;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.rooms.HeldWait;
import dev.rondo.scheduler.internal.ReportText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reports tasks that nothing can wake, and tasks that wait for each other.
///
/// A task that waits for one event waits for the holder of the event. A task that waits for the
/// first of several events waits for any of their holders. A cycle through such a task does not
/// prove a deadlock, but a report is made only when nothing can wake any task.
public final class Deadlocks {

  /// A wait of one task for another.
  private record Edge(TaskCore<?> from, Waitable<?> by, TaskCore<?> to) {

    String describe() {
      return Deadlocks.describe(from, by, to, task -> "'" + task.name() + "'");
    }
  }

  /// The content of a report.
  ///
  /// @param working the number of tasks other than daemons that are left
  /// @param left the number of all tasks that are left
  /// @param tasks descriptions of the first of these tasks
  /// @param cycle the names of the tasks on a cycle
  /// @param waits the events that the tasks on the cycle wait for
  private record Findings(
      long working, int left, List<TaskInfo> tasks, List<String> cycle, List<String> waits) {}

  private Deadlocks() {}

  /// {@return a line about a wait}
  ///
  /// @param naming returns the text for a task
  static String describe(
      TaskCore<?> from, Waitable<?> by, TaskCore<?> to, Function<TaskCore<?>, String> naming) {
    String what = by == to ? " joins " : " waits for " + ReportText.describe(by) + ", held by ";
    return ReportText.escaped(naming.apply(from) + what + naming.apply(to));
  }

  /// {@return the exception to throw if nothing can wake the tasks that are left}
  ///
  /// @param left all tasks but add-ons
  /// @param endsBySignal whether another thread may ask for an orderly shutdown, for which a task
  ///   can wait
  public static DeadlockException of(List<TaskCore<?>> left, long nowNanos, boolean endsBySignal) {
    List<Edge> cycle = cycle(left);
    var found =
        new Findings(
            left.stream().filter(task -> !task.isDaemon()).count(),
            left.size(),
            TaskCore.infos(left),
            cycle.stream().map(edge -> edge.from().name()).toList(),
            cycle.stream().map(Edge::describe).toList());
    return new DeadlockException(message(found, endsBySignal), found.tasks(), found.cycle());
  }

  /// {@return a report of a cycle of tasks while other tasks go on; null if the task is not on a
  /// cycle}
  ///
  /// @param stuck the tasks that can never go on; this method removes the tasks that wait for tasks
  ///   of the cycle
  static @Nullable DeadlockException ofCycle(
      TaskCore<?> task, Set<TaskCore<?>> stuck, long nowNanos) {
    Map<TaskCore<?>, Edge> cameBy = reach(task, stuck);
    List<Edge> cycle = cycleOn(task, cameBy);
    if (cycle.isEmpty()) {
      return null;
    }
    stuck.removeAll(cameBy.keySet());
    List<String> names = cycle.stream().map(edge -> edge.from().name()).toList();
    var text = new StringBuilder("deadlock: tasks wait for each other, and others go on; cycle: ");
    text.append(cycle(names, task.name()));
    cycle.forEach(edge -> text.append("\n  ").append(edge.describe()));
    List<TaskCore<?>> tasks = cycle.stream().<TaskCore<?>>map(Edge::from).toList();
    return new DeadlockException(text.toString(), TaskCore.infos(tasks), names);
  }

  private static String message(Findings found, boolean endsBySignal) {
    var text = new StringBuilder("deadlock: ");
    text.append(found.working() == 1 ? "1 task is" : found.working() + " tasks are");
    text.append(" left and nothing can wake ");
    text.append(found.working() == 1 ? "it" : "any of them");
    if (found.cycle().isEmpty()) {
      text.append(
          "; if another thread will, say so with scheduler.keepAlive(), or await"
              + " scheduler.completion(future)");
      if (endsBySignal) {
        text.append("; to go on until a signal ends the program, await shutdownRequested()");
      }
    } else {
      text.append("; cycle: ").append(cycle(found.cycle(), found.cycle().getFirst()));
    }
    for (String wait : found.waits()) {
      text.append("\n  ").append(wait);
    }
    for (TaskInfo task : found.tasks()) {
      text.append("\n  ").append(task);
    }
    int more = found.left() - found.tasks().size();
    if (more > 0) {
      text.append("\n  and ").append(more).append(" more");
    }
    return text.toString();
  }

  private static String cycle(List<String> names, String end) {
    return ReportText.escaped("'" + String.join("' -> '", names) + "' -> '" + end + "'");
  }

  /// The waits on one cycle; empty if there is none. The search is depth first, and visits each
  /// task once.
  private static List<Edge> cycle(List<TaskCore<?>> tasks) {
    Set<TaskCore<?>> seen = new HashSet<>();
    for (TaskCore<?> start : tasks) {
      if (seen.add(start)) {
        List<Edge> found = cycleFrom(start, seen);
        if (!found.isEmpty()) {
          return found;
        }
      }
    }
    return List.of();
  }

  private static List<Edge> cycleFrom(TaskCore<?> start, Set<TaskCore<?>> seen) {
    Map<TaskCore<?>, @Nullable Edge> path =
        new LinkedHashMap<>(); // each task with the edge that leaves
    Deque<TaskCore<?>> tasks = new ArrayDeque<>();
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

  /// All tasks that a task waits for, each with the wait that leads to it. The search is breadth
  /// first.
  ///
  /// @param among the tasks to look at
  private static Map<TaskCore<?>, Edge> reach(TaskCore<?> task, Set<TaskCore<?>> among) {
    var cameBy = new HashMap<TaskCore<?>, Edge>();
    var tasks = new ArrayDeque<TaskCore<?>>(List.of(task));
    for (TaskCore<?> at; (at = tasks.poll()) != null; ) {
      for (Edge edge : edgesOf(at)) {
        if (among.contains(edge.to()) && cameBy.putIfAbsent(edge.to(), edge) == null) {
          tasks.add(edge.to());
        }
      }
    }
    return cameBy;
  }

  /// The waits on a shortest cycle that a task is on; empty if there is none.
  private static List<Edge> cycleOn(TaskCore<?> task, Map<TaskCore<?>, Edge> cameBy) {
    var cycle = new ArrayDeque<Edge>();
    for (Edge last = cameBy.get(task); last != null; ) {
      cycle.addFirst(last);
      last = last.from() == task ? null : cameBy.get(last.from());
    }
    return List.copyOf(cycle);
  }

  private static List<Edge> cycleThrough(TaskCore<?> first, Map<TaskCore<?>, @Nullable Edge> path) {
    var cycle = new ArrayList<Edge>();
    TaskCore<?> at = first;
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

  private static Deque<Edge> edgesOf(TaskCore<?> task) {
    var edges = new ArrayDeque<Edge>();
    Waitable<?> awaited = task.awaited();
    if (awaited != null) {
      boolean _ =
          HeldWait.eachHolder(
              awaited,
              (by, holder) -> !holder.loop.isCaller() || edges.add(new Edge(task, by, holder)));
    }
    return edges;
  }
}
