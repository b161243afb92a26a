package dev.rondo.scheduler.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    private final boolean watches;
    private boolean timed;
    private long deadlineNanos;

    Entry(E task, boolean timed, long deadlineNanos, boolean watches) {
      this.task = task;
      this.timed = timed;
      this.deadlineNanos = deadlineNanos;
      this.watches = watches;
    }
  }

  /// While tasks keep the loop busy, all idle tasks have a turn this often, though their deadlines
  /// have not come.
  private static final long INTERVAL_NANOS = 50_000;

  private final List<Entry<E>> entries = new ArrayList<>();

  /// The tasks that [#serve] has taken out; empty between two calls.
  private final List<E> due = new ArrayList<>();

  /// One of those that are also woken when another task becomes ready; null if there is none.
  @Nullable E watcher;

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

  /// Adds a task that idles until it is woken, and at the latest until an instant.
  ///
  /// @param timed whether there is such an instant
  /// @param watches whether it is also woken when another task becomes ready
  void add(E task, boolean timed, long deadlineNanos, boolean watches) {
    entries.add(new Entry<>(task, timed, deadlineNanos, watches));
    summarize();
  }

  /// Gives an idle task another deadline.
  void move(E task, long deadlineNanos) {
    for (Entry<E> entry : entries) {
      if (entry.task == task) {
        entry.timed = true;
        entry.deadlineNanos = deadlineNanos;
      }
    }
    summarize();
  }

  /// Removes a task that becomes ready, is suspended or ends.
  void remove(E task) {
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).task == task) {
        entries.remove(i);
        break;
      }
    }
    summarize();
  }

  private void summarize() {
    timed = false;
    watcher = null;
    for (Entry<E> entry : entries) {
      if (entry.watches) {
        watcher = entry.task;
      }
      if (entry.timed && (!timed || entry.deadlineNanos - earliestNanos < 0)) {
        timed = true;
        earliestNanos = entry.deadlineNanos;
      }
    }
  }

  /// The time until the earliest deadline, at most zero if it has come; [Long#MAX_VALUE] if there
  /// is none.
  long nanosLeft(long nowNanos) {
    return timed ? earliestNanos - nowNanos : Long.MAX_VALUE;
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
    boolean all = busy && nowNanos - intervalBeganNanos >= INTERVAL_NANOS && !entries.isEmpty();
    if (all) {
      intervalBeganNanos = nowNanos;
    }
    if (all || (timed && nowNanos - earliestNanos >= 0)) {
      for (var each = entries.iterator(); each.hasNext(); ) {
        Entry<E> entry = each.next();
        if (all || (entry.timed && nowNanos - entry.deadlineNanos >= 0)) {
          each.remove();
          due.add(entry.task);
        }
      }
      summarize();
    }
    return due;
  }
}
