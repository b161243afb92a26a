package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.addon.IdleStrategy;
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

    Entry(TaskCore<?> task) {
      this.task = task;
    }

    void until(long deadline) {
      timed = true;
      deadlineNanos = deadline;
    }
  }

  /// While tasks keep the loop busy, idling add-ons get a turn this often.
  private static final long INTERVAL_NANOS = 50_000;

  private final List<Entry> entries = new ArrayList<>();

  /// Those of them that also want to be woken when another task becomes ready.
  private final List<TaskCore<?>> watchers = new ArrayList<>();

  private final List<TaskCore<?>> due = new ArrayList<>();
  private long servedNanos;

  /// Whether one of them has a deadline, and the earliest.
  private boolean timed;

  private long earliestNanos;

  IdleTasks(long nowNanos) {
    servedNanos = nowNanos;
  }

  void add(TaskCore<?> task) {
    entries.add(new Entry(task));
  }

  void add(TaskCore<?> task, long deadlineNanos) {
    var entry = new Entry(task);
    entry.until(deadlineNanos);
    entries.add(entry);
    noteDeadline(deadlineNanos);
  }

  /// Gives one that idles another deadline.
  void move(TaskCore<?> task, long deadlineNanos) {
    for (Entry entry : entries) {
      if (entry.task == task) {
        entry.until(deadlineNanos);
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

  /// Whether one of them has a deadline before this instant, or at it.
  boolean isDue(long nowNanos) {
    return timed && nowNanos - earliestNanos >= 0;
  }

  /// How much time is left until the earliest deadline; [Long#MAX_VALUE] if there is none.
  long nanosLeft(long nowNanos) {
    return timed ? earliestNanos - nowNanos : Long.MAX_VALUE;
  }

  void addWatcher(TaskCore<?> task, long deadlineNanos) {
    add(task, deadlineNanos);
    watchers.add(task);
  }

  void remove(TaskCore<?> task) {
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).task == task) {
        entries.remove(i);
        break;
      }
    }
    watchers.remove(task);
    findEarliest();
  }

  boolean hasWatchers() {
    return !watchers.isEmpty();
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
  /// @return how many
  int serve(long nowNanos, boolean busy) {
    if (busy && nowNanos - servedNanos >= INTERVAL_NANOS) {
      servedNanos = nowNanos;
      drainAll();
    } else if (isDue(nowNanos)) {
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
        watchers.remove(entry.task);
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
  }

  /// Sleeps until the earliest deadline, or until woken.
  ///
  /// @param cycles has something to look at, at some time
  void sleep(IdleStrategy idler, CycleWatch cycles) {
    if (!cycles.isEmpty()) {
      long look = cycles.deadlineNanos();
      idler.idleUntil(timed && earliestNanos - look < 0 ? earliestNanos : look);
    } else if (timed) {
      idler.idleUntil(earliestNanos);
    } else {
      idler.idle();
    }
  }
}
