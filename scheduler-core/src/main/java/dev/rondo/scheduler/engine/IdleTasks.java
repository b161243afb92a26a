package dev.rondo.scheduler.engine;

import java.util.ArrayList;
import java.util.List;

/// The tasks that idle: add-ons with nothing to do before an instant, unless woken. There are a
/// handful of them, so a list that is searched will do.
final class IdleTasks {

  /// A task that idles. Its deadline moves without a new one, for timers are armed all the time.
  private static final class Entry {

    private final TaskCore<?> task;
    private boolean timed;
    private long deadlineNanos;

    Entry(TaskCore<?> task, boolean timed, long deadlineNanos) {
      this.task = task;
      this.timed = timed;
      this.deadlineNanos = deadlineNanos;
    }
  }

  /// While tasks keep the loop busy, idling add-ons get a turn this often.
  private static final long INTERVAL_NANOS = 50_000;

  private final List<Entry> entries = new ArrayList<>();

  /// Those of them that also want to be woken when another task becomes ready.
  private final List<TaskCore<?>> watchers = new ArrayList<>();

  /// Whether there are any: the loop asks for each task that becomes ready.
  boolean hasWatchers;

  private final List<TaskCore<?>> due = new ArrayList<>();
  private long servedNanos;

  /// Whether one of them has a deadline, and the earliest.
  boolean timed;

  long earliestNanos;

  IdleTasks(long nowNanos) {
    servedNanos = nowNanos;
  }

  void add(TaskCore<?> task) {
    entries.add(new Entry(task, false, 0));
  }

  void add(TaskCore<?> task, long deadlineNanos) {
    entries.add(new Entry(task, true, deadlineNanos));
    noteDeadline(deadlineNanos);
  }

  /// Gives one that idles another deadline.
  void move(TaskCore<?> task, long deadlineNanos) {
    for (Entry entry : entries) {
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
    for (Entry entry : entries) {
      if (entry.timed) {
        noteDeadline(entry.deadlineNanos);
      }
    }
  }

  /// How much time is left until the earliest deadline, none or less if it has come;
  /// [Long#MAX_VALUE] if there is none.
  long nanosLeft(long nowNanos) {
    return timed ? earliestNanos - nowNanos : Long.MAX_VALUE;
  }

  void addWatcher(TaskCore<?> task, long deadlineNanos) {
    add(task, deadlineNanos);
    watchers.add(task);
    hasWatchers = true;
  }

  void remove(TaskCore<?> task) {
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).task == task) {
        entries.remove(i);
        break;
      }
    }
    removeWatcher(task);
    findEarliest();
  }

  private void removeWatcher(TaskCore<?> task) {
    watchers.remove(task);
    hasWatchers = !watchers.isEmpty();
  }

  /// Another task has become ready: wakes those that want to see that.
  void wakeWatchers() {
    while (!watchers.isEmpty()) {
      TaskCore<?> watcher = watchers.getFirst();
      watcher.becomeReady(false);
    }
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /// Gives idling add-ons precedence: those that are due, or all if others keep the loop busy and
  /// they have not been served for a while.
  ///
  /// @param ready the others
  /// @param inbox may have more
  /// @return how many
  int serve(long nowNanos, ReadyQueue ready, Inbox inbox) {
    if (entries.isEmpty()) {
      return 0;
    }
    if (nowNanos - servedNanos >= INTERVAL_NANOS && !(ready.noneIsReady() && inbox.isEmpty())) {
      servedNanos = nowNanos;
      drainAll();
    } else if (timed && nowNanos - earliestNanos >= 0) {
      drainDue(nowNanos);
    } else {
      return 0;
    }
    findEarliest();
    for (int i = due.size() - 1; i >= 0; i--) {
      TaskCore<?> task = due.get(i);
      task.endIdling();
    }
    int served = due.size();
    due.clear();
    return served;
  }

  /// The loop has slept. It is busy from now on, if at all.
  void awake(long nowNanos) {
    servedNanos = nowNanos;
  }

  /// Takes out, longest idle first, those whose deadline has come.
  private void drainDue(long nowNanos) {
    for (int i = 0; i < entries.size(); ) {
      Entry entry = entries.get(i);
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

  private void drainAll() {
    for (Entry entry : entries) {
      due.add(entry.task);
    }
    entries.clear();
    watchers.clear();
    hasWatchers = false;
  }
}
