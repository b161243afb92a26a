package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Waitable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/// Finds tasks that wait for each other in a circle while the scheduler has other things to wait
/// for, so that it is not deadlocked as a whole.
///
/// A circle is closed by the last of its waits, so each wait for another task looks whether it
/// closes one: a few steps, from holder to holder. If these do not tell, because the circle would
/// be long, or have a choice or a group in it, [StuckTasks] tells when the wait has lasted. A
/// circle that lasts is reported, once.
///
/// A wait for a task of another loop may close a circle through several, also later: it is looked
/// at again and again, by a [CircleSearch], as long as it lasts.
///
/// Confined to the scheduler's thread.
final class CycleWatch {

  /// A wait may have a limit that is meant to open such a circle.
  private static final long PATIENCE_NANOS = 1_000_000_000;

  /// The longest time between two searches for one wait.
  private static final long LONGEST_PAUSE_NANOS = 8_000_000_000L;

  private static final int MOST_SEARCHES = 64;

  private record Suspect(TaskCore<?> task, Waitable<?> awaited, long deadlineNanos) {

    boolean stillWaits() {
      return task.awaited() == awaited;
    }
  }

  /// A wait for a task of another loop.
  ///
  /// @param deadlineNanos when to search next
  /// @param pauseNanos how long after that again
  /// @param searchesLeft how often
  private record Abroad(
      TaskCore<?> task,
      Waitable<?> awaited,
      long deadlineNanos,
      long pauseNanos,
      int searchesLeft) {

    boolean stillWaits() {
      return task.awaited() == awaited;
    }

    Abroad again(long nowNanos) {
      return new Abroad(
          task,
          awaited,
          nowNanos + pauseNanos,
          Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS),
          searchesLeft - 1);
    }
  }

  /// A wait on a circle through other loops that was reported.
  private record Reported(TaskCore<?> task, Waitable<?> awaited) {

    boolean stillWaits() {
      return task.awaited() == awaited;
    }
  }

  /// So many waits that may have closed a circle are kept before those that have ended are removed.
  private static final int FIRST_SWEEP = 1_024;

  private final Failures failures;

  /// The waits that have closed a circle, oldest first.
  private final ArrayDeque<Suspect> suspects = new ArrayDeque<>();

  /// Those that may have closed one. They are looked at when the loop is awake.
  private final ArrayDeque<Suspect> vague = new ArrayDeque<>();

  /// Those that may close one through other loops, by their deadlines.
  private final PriorityQueue<Abroad> abroad =
      new PriorityQueue<>((a, b) -> Long.signum(a.deadlineNanos - b.deadlineNanos));

  private final List<Reported> reported = new ArrayList<>();

  private int nextSweep = FIRST_SWEEP;

  private int nextSweepAbroad = FIRST_SWEEP;

  CycleWatch(Failures failures) {
    this.failures = failures;
  }

  /// A task has begun to wait, which may have closed a circle.
  ///
  /// @param closes what it closes
  void suspect(TaskCore<?> task, Waitable<?> awaited, Deadlocks.Closes closes, long nowNanos) {
    switch (closes) {
      case CYCLE -> suspects.add(new Suspect(task, awaited, nowNanos + PATIENCE_NANOS));
      case PERHAPS -> {
        vague.add(new Suspect(task, awaited, nowNanos + PATIENCE_NANOS));
        if (vague.size() >= nextSweep) {
          vague.removeIf(each -> !each.stillWaits());
          nextSweep = Math.max(FIRST_SWEEP, 2 * vague.size());
        }
      }
      case ELSEWHERE -> {
        abroad.add(
            new Abroad(task, awaited, nowNanos + PATIENCE_NANOS, PATIENCE_NANOS, MOST_SEARCHES));
        if (abroad.size() >= nextSweepAbroad) {
          abroad.removeIf(each -> !each.stillWaits());
          nextSweepAbroad = Math.max(FIRST_SWEEP, 2 * abroad.size());
        }
      }
      case NOTHING -> {}
    }
  }

  boolean isEmpty() {
    return suspects.isEmpty() && abroad.isEmpty();
  }

  /// When to look again. There must be a suspect.
  long deadlineNanos() {
    Suspect suspect = suspects.peek();
    Abroad search = abroad.peek();
    if (suspect == null || search == null) {
      return suspect == null ? abroad.element().deadlineNanos : suspect.deadlineNanos;
    }
    return suspect.deadlineNanos - search.deadlineNanos < 0
        ? suspect.deadlineNanos
        : search.deadlineNanos;
  }

  /// Reports the circles that have lasted.
  void look(long nowNanos) {
    if (suspects.isEmpty() && vague.isEmpty() && abroad.isEmpty()) {
      return;
    }
    if (isDue(suspects, nowNanos) || isDue(vague, nowNanos)) {
      var lasting = new ArrayList<TaskCore<?>>();
      takeDue(suspects, nowNanos, lasting);
      takeDue(vague, nowNanos, lasting);
      report(lasting, nowNanos);
    }
    searchAbroad(nowNanos);
  }

  private void searchAbroad(long nowNanos) {
    for (Abroad wait; (wait = abroad.peek()) != null && nowNanos - wait.deadlineNanos >= 0; ) {
      abroad.remove();
      if (wait.searchesLeft > 0 && wait.stillWaits()) {
        abroad.add(wait.again(nowNanos));
        new CircleSearch(wait.task).begin();
      }
    }
  }

  /// A [CircleSearch] has found a circle, which this loop is to report.
  ///
  /// @param task of this loop, on the circle
  /// @param awaited what it waited for when the search came by
  void report(TaskCore<?> task, Waitable<?> awaited, DeadlockException found) {
    abroad.removeIf(each -> each.task == task && each.awaited == awaited);
    reported.removeIf(each -> !each.stillWaits());
    var wait = new Reported(task, awaited);
    if (wait.stillWaits() && !reported.contains(wait)) {
      reported.add(wait);
      failures.report("tasks that wait for each other", found);
    }
  }

  private static boolean isDue(ArrayDeque<Suspect> waits, long nowNanos) {
    Suspect oldest = waits.peek();
    return oldest != null && nowNanos - oldest.deadlineNanos >= 0;
  }

  private static void takeDue(ArrayDeque<Suspect> waits, long nowNanos, List<TaskCore<?>> lasting) {
    while (isDue(waits, nowNanos)) {
      Suspect each = waits.remove();
      if (each.stillWaits()) {
        lasting.add(each.task);
      }
    }
  }

  private void report(List<TaskCore<?>> lasting, long nowNanos) {
    Set<TaskCore<?>> stuck = StuckTasks.among(lasting);
    for (TaskCore<?> each : lasting) {
      DeadlockException found =
          stuck.contains(each) ? Deadlocks.ofCycle(each, stuck, nowNanos) : null;
      if (found != null) {
        failures.report("tasks that wait for each other", found);
      }
    }
  }
}
