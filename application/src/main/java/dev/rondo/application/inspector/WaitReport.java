package dev.rondo.application.inspector;

import dev.rondo.scheduler.observe.LoopMonitor;
import dev.rondo.scheduler.observe.LoopPage;
import dev.rondo.scheduler.observe.TaskWait;
import dev.rondo.scheduler.observe.TaskWait.Holder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The graph of which task waits for which, in JSON, with deadlocks marked.
///
/// All tasks are looked at, a page at a time; if some seem stuck, once more, see
/// [WaitGraph#lasting].
final class WaitReport {

  /// Of a graph with more edges no more waits are looked at. A wait for a group may have 64.
  private static final int MOST_EDGES = 100_000;

  private static final int MOST_CIRCLES = 20;

  /// A circle with more tasks than this cannot be read.
  private static final int MOST_OF_A_CIRCLE = 200;

  private static final int NO_MORE = -1;

  private final List<LoopMonitor> loops;
  private final Duration patience;
  private final List<LoopMonitor> silent = new ArrayList<>();

  /// Whether there are waits that were not looked at.
  private boolean leftOut;

  WaitReport(List<LoopMonitor> loops, Duration patience) {
    this.loops = loops;
    this.patience = patience;
  }

  /// @param from how many waits come before those of the page: deadlocks are first, then what is
  ///   stuck, then the others, and of each the longest wait is
  /// @param most how many waits the page has
  String write(int from, int most) {
    WaitGraph graph = look();
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
    var waits = new ArrayList<TaskWait>();
    silent.clear();
    leftOut = false;
    var answering = new ArrayList<LoopMonitor>();
    EachLoop.ask(loops, loop -> loop.ask(() -> true, patience).isPresent())
        .forEach((loop, answers) -> (answers ? answering : silent).add(loop));
    int edges = 0;
    for (LoopMonitor loop : answering) {
      int next = 0;
      while (next != LoopPage.NO_MORE) {
        if (edges >= MOST_EDGES) {
          leftOut = true;
          break;
        }
        Optional<LoopPage<TaskWait>> page = loop.waits(next, patience);
        if (page.isEmpty()) {
          silent.add(loop);
          break;
        }
        for (TaskWait each : page.get().found()) {
          waits.add(each);
          edges += each.holders().size();
        }
        next = page.get().next();
      }
    }
    return new WaitGraph(waits);
  }

  private String write(WaitGraph graph, Set<TaskWait> stuck, int from, int most) {
    List<List<TaskWait>> circles = graph.circles(stuck);
    var onCircles = new HashSet<TaskWait>();
    circles.forEach(onCircles::addAll);
    List<TaskWait> shown =
        graph.waits().stream()
            .sorted(
                Comparator.comparing((TaskWait each) -> !onCircles.contains(each))
                    .thenComparing(each -> !stuck.contains(each))
                    .thenComparing(TaskWait::since, Comparator.reverseOrder()))
            .skip(from)
            .limit(most)
            .toList();
    var json = new Json().beginObject();
    json.member("waits", graph.waits().size()).member("stuck", stuck.size());
    json.member("leftOut", leftOut);
    int end = from + shown.size();
    json.member("next", shown.size() == most && end < graph.waits().size() ? end : NO_MORE);
    json.name("silent").beginArray();
    silent.forEach(each -> json.value(each.name()));
    json.endArray().name("shown").beginArray();
    for (TaskWait each : shown) {
      write(json, each, stuck.contains(each), onCircles.contains(each));
    }
    json.endArray().member("circleCount", circles.size()).name("circles").beginArray();
    for (List<TaskWait> circle : circles.subList(0, Math.min(MOST_CIRCLES, circles.size()))) {
      json.beginArray();
      circle.stream().limit(MOST_OF_A_CIRCLE).forEach(each -> write(json, each.waiter()));
      json.endArray();
    }
    return json.endArray().endObject().toString();
  }

  private static void write(Json json, TaskWait wait, boolean stuck, boolean onCircle) {
    json.beginObject().name("waiter");
    write(json, wait.waiter());
    json.member("waitingFor", wait.waitingFor()).member("since", wait.since());
    json.member("all", wait.needsAll()).member("held", wait.isHeld());
    json.member("stuck", stuck).member("circle", onCircle);
    json.name("holders").beginArray();
    wait.holders().forEach(each -> write(json, each));
    json.endArray().endObject();
  }

  private static void write(Json json, Holder task) {
    json.beginObject().member("loop", task.loop()).member("id", task.id());
    json.member("name", task.name()).endObject();
  }
}
