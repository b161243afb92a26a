package dev.rondo.scheduler.engine;

import java.util.ArrayList;
import java.util.List;

/// The tasks that idle: they have nothing to do before an instant, unless they are woken. Most are
/// tasks of add-ons, which idle until their next timer or until something outside wakes them. They
/// are few, so a list that is searched is enough.
///
/// Confined to the scheduler's thread.
///
/// @param <E> the type of a task
final class IdleTasks<E> {

  /// A task that idles. It is mutable, because its deadline moves each time a timer is armed.
  private static final class Entry<E> {

    private final E task;
    private boolean timed;
    private long deadlineNanos;

    Entry(E task, boolean timed, long deadlineNanos) {
      this.task = task;
      this.timed = timed;
      this.deadlineNanos = deadlineNanos;
    }
  }

  /// While tasks keep the loop busy, all idle tasks have a turn this often, though their deadlines
  /// have not come.
  private static final long INTERVAL_NANOS = 50_000;

  private final List<Entry<E>> entries = new ArrayList<>();

  /// The idle tasks that are also woken when another task becomes ready.
  private final List<E> watchers = new ArrayList<>();

  /// Whether there are watchers. A field, because the loop reads it for each task that becomes
  /// ready.
  boolean hasWatchers;

  /// The tasks that [#serve] has taken out; empty between two calls.
  private final List<E> due = new ArrayList<>();

  /// The beginning of the present interval: the instant at which all idle tasks were last made
  /// ready, or at which the loop last woke or began to rest: it was not busy then.
  long intervalBeganNanos;

  /// Whether one of the idle tasks has a deadline.
  boolean timed;

  /// The earliest deadline, if there is one.
  long earliestNanos;

  IdleTasks(long nowNanos) {
    intervalBeganNanos = nowNanos;
  }

  /// Adds a task that idles until it is woken.
  void add(E task) {
    entries.add(new Entry<>(task, false, 0));
  }

  /// Adds a task that idles until an instant.
  void add(E task, long deadlineNanos) {
    entries.add(new Entry<>(task, true, deadlineNanos));
    noteDeadline(deadlineNanos);
  }

  /// Gives an idle task another deadline.
  void move(E task, long deadlineNanos) {
    for (Entry<E> entry : entries) {
      if (entry.task == task) {
        entry.timed = true;
        entry.deadlineNanos = deadlineNanos;
        break;
      }
    }
    findEarliest();
  }

  private void noteDeadline(long deadlineNanos) {
    if (!timed || deadlineNanos - earliestNanos < 0) {
      timed = true;
      earliestNanos = deadlineNanos;
    }
  }

  private void findEarliest() {
    timed = false;
    for (Entry<E> entry : entries) {
      if (entry.timed) {
        noteDeadline(entry.deadlineNanos);
      }
    }
  }

  /// The time until the earliest deadline, at most zero if it has come; [Long#MAX_VALUE] if there
  /// is none.
  long nanosLeft(long nowNanos) {
    return timed ? earliestNanos - nowNanos : Long.MAX_VALUE;
  }

  /// Adds a task that idles until an instant, or until another task becomes ready.
  void addWatcher(E task, long deadlineNanos) {
    add(task, deadlineNanos);
    watchers.add(task);
    hasWatchers = true;
  }

  /// Removes a task that becomes ready, is suspended or ends.
  void remove(E task) {
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).task == task) {
        entries.remove(i);
        break;
      }
    }
    removeWatcher(task);
    findEarliest();
  }

  private void removeWatcher(E task) {
    watchers.remove(task);
    hasWatchers = !watchers.isEmpty();
  }

  /// One of the watchers, which are woken because another task has become ready.
  E firstWatcher() {
    return watchers.getFirst();
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /// Takes out the tasks that have to become ready, at the front: those whose deadline has come, or
  /// all of them at the end of an interval if other tasks keep the loop busy.
  ///
  /// @param busy whether tasks are ready, or another thread has posted something
  /// @return those, the longest idle first; for the caller to clear
  List<E> serve(long nowNanos, boolean busy) {
    if (entries.isEmpty()) {
      return due;
    }
    if (busy && nowNanos - intervalBeganNanos >= INTERVAL_NANOS) {
      intervalBeganNanos = nowNanos;
      drainAll();
    } else if (timed && nowNanos - earliestNanos >= 0) {
      drainDue(nowNanos);
    } else {
      return due;
    }
    findEarliest();
    return due;
  }

  /// Takes out the tasks whose deadline has come, the longest idle first.
  private void drainDue(long nowNanos) {
    for (int i = 0; i < entries.size(); ) {
      Entry<E> entry = entries.get(i);
      if (entry.timed && nowNanos - entry.deadlineNanos >= 0) {
        entries.remove(i);
        if (hasWatchers) {
          removeWatcher(entry.task);
        }
        due.add(entry.task);
      } else {
        i++;
      }
    }
  }

  /// Takes out all tasks, the longest idle first.
  private void drainAll() {
    for (Entry<E> entry : entries) {
      due.add(entry.task);
    }
    entries.clear();
    watchers.clear();
    hasWatchers = false;
  }
}
