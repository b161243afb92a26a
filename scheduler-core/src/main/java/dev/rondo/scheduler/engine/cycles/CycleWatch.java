package dev.rondo.scheduler.engine.cycles;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.ReadyQueue;
import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.TaskCore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds tasks that wait for each other in a cycle while other tasks of the scheduler can still go
/// on.
///
/// The wait that begins last closes the cycle. So a [CycleCheck] is made when a wait begins. The
/// check is not conclusive if the cycle is long, or contains a choice or a group. In that case
/// [StuckTasks] decides, after the wait has lasted for a second. A cycle that lasts is reported
/// once.
///
/// A wait for a task of another loop may close a cycle through several loops, or may become part of
/// such a cycle later. While such a wait lasts, a [CycleSearch] examines it repeatedly.
///
/// Confined to the scheduler's thread.
public final class CycleWatch implements Rooms.Watch {

  /// The time that a wait must have lasted before it is reported. A shorter wait may have a time
  /// limit that ends it.
  private static final long PATIENCE_NANOS = 1_000_000_000;

  /// The longest time between two searches for one wait.
  private static final long LONGEST_PAUSE_NANOS = 8_000_000_000L;

  private static final int MOST_SEARCHES = 64;

  /// A wait that has closed a cycle, or may have closed one.
  ///
  /// A suspect has no reference to the task or to the event. Most such waits end long before they
  /// are examined, and a group with the results of its tasks can be large.
  ///
  /// @param slot of the task
  /// @param id of the task
  /// @param sinceNanos when the wait began
  private record Suspect(int slot, long id, long sinceNanos) {

    static Suspect of(TaskCore<?> task, long sinceNanos) {
      return new Suspect(task.slot, task.id(), sinceNanos);
    }

    long deadlineNanos() {
      return sinceNanos + PATIENCE_NANOS;
    }
  }

  /// A wait for a task of another loop.
  ///
  /// @param deadlineNanos the instant of the next search
  /// @param pauseNanos the time between that search and the one after it
  /// @param searchesLeft the number of searches that are left
  private record CrossLoopSuspect(
      Suspect suspect, long deadlineNanos, long pauseNanos, int searchesLeft) {

    CrossLoopSuspect again(long nowNanos) {
      return new CrossLoopSuspect(
          suspect,
          nowNanos + pauseNanos,
          Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS),
          searchesLeft - 1);
    }
  }

  /// The number of suspects at which suspects that have ended are removed.
  private static final int FIRST_SWEEP = 1_024;

  private final Loop loop;
  private final ReadyQueue tasks;

  /// The waits that have closed a cycle, oldest first.
  private final ArrayDeque<Suspect> suspects = new ArrayDeque<>();

  /// The waits that may have closed a cycle, oldest first. These waits do not wake the loop.
  private final ArrayDeque<Suspect> possible = new ArrayDeque<>();

  /// The waits that may close a cycle through other loops, ordered by the instant of the next
  /// search.
  private final PriorityQueue<CrossLoopSuspect> crossLoop =
      new PriorityQueue<>((a, b) -> Long.signum(a.deadlineNanos - b.deadlineNanos));

  /// The waits on cycles through other loops that were reported.
  private final List<Suspect> reported = new ArrayList<>();

  private int nextSweep = FIRST_SWEEP;

  private int nextSweepCrossLoop = FIRST_SWEEP;

  public CycleWatch(Loop loop) {
    this.loop = loop;
    this.tasks = loop.tasks;
  }

  /// The task of a wait; null if the wait is over.
  private @Nullable TaskCore<?> waiting(Suspect wait) {
    return tasks.entryAt(wait.slot) instanceof TaskCore<?> task
            && task.id() == wait.id
            && task.awaited() != null
            && task.sinceNanos == wait.sinceNanos
        ? task
        : null;
  }

  private boolean hasEnded(Suspect wait) {
    return waiting(wait) == null;
  }

  @Override
  public void waitBegins(TaskCore<?> task, Waitable<?> awaited) {
    CycleCheck found = CycleCheck.of(task, awaited);
    if (found != CycleCheck.NO_CYCLE) {
      suspect(task, found, loop.passNanos);
    }
  }

  /// @param found by the check of the wait
  /// @param nowNanos the beginning of the wait
  private void suspect(TaskCore<?> task, CycleCheck found, long nowNanos) {
    switch (found) {
      case CYCLE -> suspects.add(Suspect.of(task, nowNanos));
      case POSSIBLE_CYCLE -> {
        if (possible.size() >= nextSweep) {
          possible.removeIf(this::hasEnded);
          nextSweep = Math.max(FIRST_SWEEP, 2 * possible.size());
        }
        possible.add(Suspect.of(task, nowNanos));
      }
      case CROSS_LOOP -> {
        if (crossLoop.size() >= nextSweepCrossLoop) {
          crossLoop.removeIf(each -> hasEnded(each.suspect));
          nextSweepCrossLoop = Math.max(FIRST_SWEEP, 2 * crossLoop.size());
        }
        Suspect wait = Suspect.of(task, nowNanos);
        crossLoop.add(
            new CrossLoopSuspect(wait, wait.deadlineNanos(), PATIENCE_NANOS, MOST_SEARCHES));
      }
      case NO_CYCLE -> {}
    }
  }

  @Override
  public boolean isEmpty() {
    return suspects.isEmpty() && crossLoop.isEmpty();
  }

  @Override
  public long deadlineNanos() {
    Suspect suspect = suspects.peek();
    CrossLoopSuspect search = crossLoop.peek();
    if (suspect == null || search == null) {
      return suspect == null ? crossLoop.element().deadlineNanos : suspect.deadlineNanos();
    }
    return suspect.deadlineNanos() - search.deadlineNanos < 0
        ? suspect.deadlineNanos()
        : search.deadlineNanos;
  }

  /// Reports the cycles that have lasted long enough.
  @Override
  public void look(long nowNanos) {
    if (suspects.isEmpty() && possible.isEmpty() && crossLoop.isEmpty()) {
      return;
    }
    if (isDue(suspects, nowNanos) || isDue(possible, nowNanos)) {
      var lasting = new ArrayList<TaskCore<?>>();
      takeDue(suspects, nowNanos, lasting);
      takeDue(possible, nowNanos, lasting);
      report(lasting, nowNanos);
    }
    searchOtherLoops(nowNanos);
  }

  private void searchOtherLoops(long nowNanos) {
    for (CrossLoopSuspect due;
        (due = crossLoop.peek()) != null && nowNanos - due.deadlineNanos >= 0; ) {
      crossLoop.remove();
      TaskCore<?> task = due.searchesLeft > 0 ? waiting(due.suspect) : null;
      if (task != null) {
        crossLoop.add(due.again(nowNanos));
        new CycleSearch(task).begin();
      }
    }
  }

  /// Reports a cycle that a [CycleSearch] has found.
  ///
  /// @param task of this loop, on the cycle
  /// @param awaited the event that the task waited for during the search
  void report(TaskCore<?> task, Waitable<?> awaited, DeadlockException found) {
    reported.removeIf(this::hasEnded);
    if (task.awaited() != awaited) {
      return;
    }
    crossLoop.removeIf(each -> waiting(each.suspect) == task);
    Suspect wait = Suspect.of(task, task.sinceNanos);
    if (!reported.contains(wait)) {
      reported.add(wait);
      loop.report("tasks that wait for each other", found);
    }
  }

  private static boolean isDue(ArrayDeque<Suspect> waits, long nowNanos) {
    Suspect oldest = waits.peek();
    return oldest != null && nowNanos - oldest.deadlineNanos() >= 0;
  }

  private void takeDue(ArrayDeque<Suspect> waits, long nowNanos, List<TaskCore<?>> lasting) {
    while (isDue(waits, nowNanos)) {
      TaskCore<?> task = waiting(waits.remove());
      if (task != null) {
        lasting.add(task);
      }
    }
  }

  private void report(List<TaskCore<?>> lasting, long nowNanos) {
    Set<TaskCore<?>> stuck = StuckTasks.among(lasting);
    for (TaskCore<?> each : lasting) {
      DeadlockException found =
          stuck.contains(each) ? Deadlocks.ofCycle(each, stuck, nowNanos) : null;
      if (found != null) {
        loop.report("tasks that wait for each other", found);
      }
    }
  }
}
