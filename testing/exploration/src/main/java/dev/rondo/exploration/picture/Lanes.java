package dev.rondo.exploration.picture;

import dev.rondo.observe.RecordedEvent;
import dev.rondo.observe.RecordedTask;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The columns of a diagram: the hosts, or, if there is one scheduler only, its tasks.
final class Lanes {

  /// Not on a lane.
  static final int NONE = -1;

  private static final int MOST = 24;
  private static final String OTHERS = "other tasks";

  private final boolean ofHosts;
  private final Map<Object, Integer> places = new LinkedHashMap<>();
  private final List<String> names = new ArrayList<>();

  private Lanes(boolean ofHosts) {
    this.ofHosts = ofHosts;
  }

  /// {@return the lanes for some rows} Those of hosts are the same for all rows of a timeline, and
  /// those of tasks just the ones that the rows need.
  static Lanes of(List<Row> rows, int from, int to) {
    var lanes = new Lanes(rows.stream().anyMatch(each -> !each.event().lane().isEmpty()));
    for (Row each : lanes.ofHosts ? rows : rows.subList(from, to)) {
      RecordedEvent event = each.event();
      if (lanes.ofHosts) {
        lanes.addHost(event.lane());
        lanes.addHost(event.peer());
      } else {
        lanes.addTask(event.task());
        lanes.addTask(event.other());
      }
    }
    return lanes;
  }

  private void addHost(String name) {
    if (!name.isEmpty()) {
      add(name, name);
    }
  }

  private void addTask(@Nullable RecordedTask task) {
    if (task != null) {
      add(task.key(), task.name());
    }
  }

  private void add(Object key, String name) {
    if (places.containsKey(key)) {
      return;
    }
    if (names.size() == MOST) {
      names.set(MOST - 1, ofHosts ? "other hosts" : OTHERS);
    }
    if (names.size() < MOST) {
      names.add(name);
    }
    places.put(key, names.size() - 1);
  }

  boolean areOfHosts() {
    return ofHosts;
  }

  List<String> names() {
    return names;
  }

  int size() {
    return names.size();
  }

  /// {@return where an event is; [#NONE] if it concerns all}
  int of(RecordedEvent event) {
    return ofHosts ? host(event.lane()) : task(event.task());
  }

  int host(String name) {
    return places.getOrDefault(name, NONE);
  }

  int task(@Nullable RecordedTask task) {
    if (task == null) {
      return NONE;
    }
    return ofHosts ? host(task.lane()) : places.getOrDefault(task.key(), NONE);
  }
}
