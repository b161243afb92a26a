package dev.rondo.scheduler;

import java.util.ArrayList;
import java.util.List;

/// The tasks that idle: add-ons with nothing to do before an instant, unless woken. There are a
/// handful of them, so a list that is searched will do.
final class Idlers {

  private record Entry(Task<?> task, long deadlineNanos, boolean timed) {}

  private final List<Entry> entries = new ArrayList<>();

  /// Those of them that also want to be woken when another task becomes ready.
  private final List<Task<?>> watchers = new ArrayList<>();

  void add(Task<?> task) {
    entries.add(new Entry(task, 0, false));
  }

  void add(Task<?> task, long deadlineNanos) {
    entries.add(new Entry(task, deadlineNanos, true));
  }

  void addWatcher(Task<?> task, long deadlineNanos) {
    add(task, deadlineNanos);
    watchers.add(task);
  }

  void remove(Task<?> task) {
    entries.removeIf(entry -> entry.task == task);
    watchers.remove(task);
  }

  boolean hasWatchers() {
    return !watchers.isEmpty();
  }

  Task<?> firstWatcher() {
    return watchers.getFirst();
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /// Takes out, longest idle first, those whose deadline has come.
  void drainDue(long nowNanos, List<Task<?>> into) {
    for (int i = 0; i < entries.size(); ) {
      Entry entry = entries.get(i);
      if (entry.timed && nowNanos - entry.deadlineNanos >= 0) {
        entries.remove(i);
        watchers.remove(entry.task);
        into.add(entry.task);
      } else {
        i++;
      }
    }
  }

  void drainAll(List<Task<?>> into) {
    for (Entry entry : entries) {
      into.add(entry.task);
    }
    entries.clear();
    watchers.clear();
  }

  boolean hasDeadline() {
    for (Entry entry : entries) {
      if (entry.timed) {
        return true;
      }
    }
    return false;
  }

  /// The earliest deadline; there is one, see [#hasDeadline].
  long earliestDeadlineNanos() {
    boolean found = false;
    long earliest = 0;
    for (Entry entry : entries) {
      if (entry.timed && (!found || entry.deadlineNanos - earliest < 0)) {
        earliest = entry.deadlineNanos;
        found = true;
      }
    }
    if (!found) {
      throw new IllegalStateException("no idle add-on named a deadline");
    }
    return earliest;
  }
}
