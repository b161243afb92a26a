package dev.rondo.inspector;

import dev.rondo.observe.internal.LoopMonitor;
import dev.rondo.observe.internal.LoopPage;
import dev.rondo.scheduler.internal.rooms.TaskWait;
import dev.rondo.scheduler.internal.rooms.TaskWait.Holder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The graph of which task waits for which, in JSON, with deadlocks marked.
///
/// The report examines all tasks, a page at a time, and examines them again if some seem stuck, see
/// [WaitGraph#lasting]. If very many tasks wait, no task waits for most of them, so these are on no
/// cycle. The report keeps only some waits of tasks that no task waits for, and all other waits.
/// The first pass determines which tasks are awaited.
final class WaitReport {

  /// The most edges that are kept of tasks that hold nothing, and the most of other tasks. A wait
  /// for a group may have 64 edges.
  static final int MOST_EDGES = 100_000;

  private static final int MOST_CYCLES = 20;

  /// A cycle with more tasks than this cannot be read.
  private static final int MOST_OF_A_CYCLE = 200;

  private static final int NO_MORE = -1;

  private final List<LoopMonitor> loops;
  private final Duration patience;
  private final int mostEdges;

  /// The loops that have not answered. No later look asks them again.
  private final Set<LoopMonitor> silent = new LinkedHashSet<>();

  /// The awaited tasks that any look has found.
  private final Set<WaitGraph.Key> awaited = new HashSet<>();

  /// The number of waits that the last look has found, including those that were not kept.
  private int found;

  /// Whether a wait that may be on a cycle was not kept, or is for more tasks than are known.
  private boolean cyclesMayBeMissing;

  /// @param mostEdges the most edges that are kept of tasks that hold nothing, and the most of
  ///   others
  WaitReport(List<LoopMonitor> loops, Duration patience, int mostEdges) {
    this.loops = loops;
    this.patience = patience;
    this.mostEdges = mostEdges;
  }

  /// @param from the number of waits before those of the page. Deadlocks come first, then other
  ///   stuck waits, then the rest; in each part the longest wait comes first
  /// @param most the most waits on the page
  String write(int from, int most) {
    WaitGraph graph = look();
    if (found > graph.waits().size()) {
      graph = look(); // now that it is known which tasks are awaited
    }
    Set<TaskWait> stuck = Set.of();
    if (!graph.stuck().isEmpty()) {
      WaitGraph later = look();
      WaitGraph lasting = graph.lasting(later);
      stuck = lasting.stuck();
      graph = later;
    }
    return write(graph, stuck, from, most);
  }

  private WaitGraph look() {
    var kept = new Kept();
    found = 0;
    cyclesMayBeMissing = false;
    var answering = new ArrayList<LoopMonitor>();
    List<LoopMonitor> asked = loops.stream().filter(loop -> !silent.contains(loop)).toList();
    EachLoop.ask(asked, loop -> loop.ask(() -> true, patience).isPresent())
        .forEach((loop, answers) -> (answers ? answering : silent).add(loop));
    for (LoopMonitor loop : answering) {
      int next = 0;
      while (next != LoopPage.NO_MORE) {
        Optional<LoopPage<TaskWait>> page = loop.waits(next, patience);
        if (page.isEmpty()) {
          silent.add(loop);
          break;
        }
        page.get().found().forEach(kept::see);
        next = page.get().next();
      }
    }
    cyclesMayBeMissing |= kept.partial.stream().anyMatch(awaited::contains);
    return new WaitGraph(kept.waits);
  }

  /// The waits of one look.
  private final class Kept {

    final List<TaskWait> waits = new ArrayList<>();

    /// The tasks that wait for more tasks than are known.
    final List<WaitGraph.Key> partial = new ArrayList<>();

    private int edges;
    private int edgesOfAwaited;

    void see(TaskWait wait) {
      found++;
      if (wait.hasMore()) {
        partial.add(WaitGraph.Key.of(wait.waiter()));
      }
      for (Holder each : wait.holders()) {
        if (awaited.size() < 2 * mostEdges) {
          awaited.add(WaitGraph.Key.of(each));
        } else if (!awaited.contains(WaitGraph.Key.of(each))) {
          cyclesMayBeMissing = true;
        }
      }
      int more = wait.holders().size();
      if (edges < mostEdges) {
        edges += more;
        waits.add(wait);
      } else if (awaited.contains(WaitGraph.Key.of(wait.waiter()))) {
        if (edgesOfAwaited < mostEdges) {
          edgesOfAwaited += more;
          waits.add(wait);
        } else {
          cyclesMayBeMissing = true;
        }
      }
    }
  }

  private String write(WaitGraph graph, Set<TaskWait> stuck, int from, int most) {
    List<List<TaskWait>> cycles = graph.cycles(stuck);
    var onCycles = new HashSet<TaskWait>();
    cycles.forEach(onCycles::addAll);
    List<TaskWait> shown =
        graph.waits().stream()
            .sorted(
                Comparator.comparing((TaskWait each) -> !onCycles.contains(each))
                    .thenComparing(each -> !stuck.contains(each))
                    .thenComparing(TaskWait::since, Comparator.reverseOrder()))
            .skip(from)
            .limit(most)
            .toList();
    var json = new Json().beginObject();
    json.member("waits", found).member("listed", graph.waits().size());
    json.member("stuck", stuck.size()).member("cyclesMayBeMissing", cyclesMayBeMissing);
    int end = from + shown.size();
    json.member("next", shown.size() == most && end < graph.waits().size() ? end : NO_MORE);
    json.name("silent").beginArray();
    silent.forEach(each -> json.value(each.name()));
    json.endArray().name("shown").beginArray();
    for (TaskWait each : shown) {
      write(json, each, stuck.contains(each), onCycles.contains(each));
    }
    json.endArray().member("cycleCount", cycles.size()).name("cycles").beginArray();
    for (List<TaskWait> cycle : cycles.subList(0, Math.min(MOST_CYCLES, cycles.size()))) {
      json.beginArray();
      cycle.stream().limit(MOST_OF_A_CYCLE).forEach(each -> write(json, each.waiter()));
      json.endArray();
    }
    return json.endArray().endObject().toString();
  }

  private static void write(Json json, TaskWait wait, boolean stuck, boolean onCycle) {
    json.beginObject().name("waiter");
    write(json, wait.waiter());
    json.member("waitingFor", wait.waitingFor()).member("since", wait.since());
    json.member("all", wait.needsAll()).member("held", wait.isHeld());
    json.member("stuck", stuck).member("cycle", onCycle);
    json.name("holders").beginArray();
    wait.holders().forEach(each -> write(json, each));
    json.endArray().endObject();
  }

  private static void write(Json json, Holder task) {
    json.beginObject().member("loop", task.loop()).member("id", task.id());
    json.member("name", task.name()).endObject();
  }
}
