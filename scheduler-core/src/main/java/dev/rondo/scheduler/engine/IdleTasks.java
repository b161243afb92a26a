package dev.rondo.scheduler.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tasks that idle. An idle task has nothing to do before an instant, unless it is woken. Most
/// of these tasks are add-ons, which idle until their next timer or until something outside wakes
/// them. There are few, so a linear search of a list is enough.
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

  /// While tasks keep the loop busy, all idle tasks have a turn at this interval, even before their
  /// deadlines.
  private static final long INTERVAL_NANOS = 50_000;

  private final List<Entry<E>> entries = new ArrayList<>();

  /// The tasks that [#serve] has removed; empty between two calls.
  private final List<E> due = new ArrayList<>();

  /// One of the tasks that are also woken when another task becomes ready; null if there is none.
  @Nullable E watcher;

  /// The beginning of the present interval. This is the instant at which all idle tasks were last
  /// made ready, or at which the loop last woke or began to rest, and so was not busy.
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

  /// The time until the earliest deadline, at most zero if the deadline has come; [Long#MAX_VALUE]
  /// if there is none.
  long nanosLeft(long nowNanos) {
    return timed ? earliestNanos - nowNanos : Long.MAX_VALUE;
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /// Removes the tasks that have to become ready, at the front. These are the tasks whose deadline
  /// has come, or all tasks at the end of an interval if other tasks keep the loop busy.
  ///
  /// @param busy whether tasks are ready, or another thread has posted something
  /// @return these tasks, the longest idle first; the caller clears the list
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
