package dev.rondo.scheduler.engine.cycles;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.rooms.HeldWait;
import dev.rondo.scheduler.internal.ReportText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Follows a wait from task to task through several loops, and finds whether the path returns to
/// the first task. This is edge chasing, after K. M. Chandy, J. Misra, L. M. Haas, *Distributed
/// deadlock detection* (1983).
///
/// Each loop examines its own tasks on its own thread, and posts the search to the next loop. A
/// search ends at a loop that does not answer. Such a loop is busy, so there is no deadlock. A
/// cycle is followed twice. If each wait is the same in both rounds, all of them existed at the
/// moment between the rounds, so no task on the cycle can go on.
///
/// Several searches may find the same cycle. The cycle is reported once. The loop that reports it
/// is that of the cycle's first task, in the order of all tasks.
///
/// Used by one thread at a time.
final class CycleSearch {

  /// The greatest length of a cycle that a search can find.
  private static final int MOST_STEPS = 64;

  /// One wait on the path.
  private record Step(TaskCore<?> task, Waitable<?> awaited, long sinceNanos) {

    boolean isSameAs(Step other) {
      return task == other.task && awaited == other.awaited && sinceNanos == other.sinceNanos;
    }
  }

  private final TaskCore<?> first;
  private final List<Step> steps = new ArrayList<>();

  /// The tasks that the second round has seen.
  private final List<TaskInfo> tasks = new ArrayList<>();

  private final List<String> waits = new ArrayList<>();

  /// Whether the cycle is closed, so that this is the second round.
  private boolean closed;

  /// @param first the task with which the search begins
  CycleSearch(TaskCore<?> first) {
    this.first = first;
  }

  /// On the thread of the first task's loop.
  void begin() {
    follow(first);
  }

  private void follow(TaskCore<?> start) {
    TaskCore<?> at = start;
    while (at != null && at.loop.isCaller()) {
      at = closed ? secondRound(at) : firstRound(at);
    }
    if (at != null) {
      TaskCore<?> next = at;
      Loop loop = next.loop;
      boolean _ = loop.post(() -> follow(next)); // refused: the loop is closed
    }
  }

  /// {@return the next task on the path; null if the search has ended}
  private @Nullable TaskCore<?> firstRound(TaskCore<?> at) {
    Step step = stepOf(at);
    if (step == null || steps.size() == MOST_STEPS || isVisited(at)) {
      return null;
    }
    steps.add(step);
    TaskCore<?> next = HeldWait.onlyHolder(step.awaited);
    closed = next == first;
    return next;
  }

  /// {@return the next task on the path; null if the search has ended}
  private @Nullable TaskCore<?> secondRound(TaskCore<?> at) {
    if (tasks.size() == steps.size()) {
      report();
      return null;
    }
    Step before = steps.get(tasks.size());
    Step step = stepOf(at);
    TaskCore<?> next = step == null ? null : HeldWait.onlyHolder(step.awaited);
    if (step == null || next == null || !step.isSameAs(before)) {
      return null;
    }
    tasks.add(at.info());
    waits.add(Deadlocks.describe(at, step.awaited, next, CycleSearch::place));
    return next;
  }

  private static @Nullable Step stepOf(TaskCore<?> task) {
    Waitable<?> awaited = task.awaited();
    TaskCore<?> holder = awaited == null ? null : HeldWait.onlyHolder(awaited);
    return awaited == null || holder == null ? null : new Step(task, awaited, task.sinceNanos);
  }

  private boolean isVisited(TaskCore<?> task) {
    return steps.stream().anyMatch(each -> each.task == task);
  }

  private static String place(TaskCore<?> task) {
    return "'" + task.name() + "' of loop '" + nameOfLoop(task) + "'";
  }

  private static String nameOfLoop(TaskCore<?> task) {
    Loop loop = task.loop;
    Thread thread = loop.thread;
    return thread.getName();
  }

  private void report() {
    Step owner = steps.getFirst();
    var text = new StringBuilder("deadlock: tasks of several loops wait for each other; cycle: ");
    for (Step each : steps) {
      text.append(ReportText.escaped(place(each.task))).append(" -> ");
      owner = isBefore(each.task, owner.task) ? each : owner;
    }
    text.append(ReportText.escaped(place(first)));
    waits.forEach(each -> text.append("\n  ").append(each));
    tasks.forEach(each -> text.append("\n  ").append(each));
    List<String> names = tasks.stream().map(TaskInfo::name).toList();
    reportBy(owner, new DeadlockException(text.toString(), tasks, names));
  }

  /// Makes the loop of a step report the cycle.
  private static void reportBy(Step step, DeadlockException found) {
    TaskCore<?> task = step.task;
    Loop loop = task.loop;
    boolean _ = // refused: the loop is closed
        loop.post(() -> {
          if (loop.cycles() instanceof CycleWatch watch) {
            watch.report(task, step.awaited, found);
          }
        });
  }

  /// Whether a task comes before another task in the order of all tasks.
  private static boolean isBefore(TaskCore<?> task, TaskCore<?> other) {
    int ofLoops = Long.compare(numberOf(task), numberOf(other));
    return ofLoops == 0 ? task.id() < other.id() : ofLoops < 0;
  }

  private static long numberOf(TaskCore<?> task) {
    Loop loop = task.loop;
    Thread thread = loop.thread;
    return thread.threadId();
  }
}
