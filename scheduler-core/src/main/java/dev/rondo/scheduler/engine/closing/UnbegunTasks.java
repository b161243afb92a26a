package dev.rondo.scheduler.engine.closing;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.engine.CancelRequest;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.TaskCore;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The tasks that were made and never scheduled, although another thread, a listener or a future
/// waits for their end. These tasks end when the scheduler closes. The scheduler does not keep
/// other tasks that were never scheduled.
///
/// Confined to the scheduler's thread, except [#listened].
public final class UnbegunTasks {

  /// These tasks, and some that were scheduled since: at most about as many as the most that were
  /// unscheduled at once. [#add] removes them.
  private final Set<TaskCore<?>> awaited = new LinkedHashSet<>();

  /// The number of tasks at which those that were scheduled are removed.
  private int nextSweep = 1;

  private UnbegunTasks() {}

  private static UnbegunTasks of(Loop loop) {
    return loop.room(UnbegunTasks.class, UnbegunTasks::new);
  }

  /// Ends all of them, because the scheduler closes.
  public static void endAll(Loop loop) {
    List.copyOf(of(loop).awaited).stream().filter(TaskCore::isNew).forEach(UnbegunTasks::end);
  }

  private void add(TaskCore<?> task) {
    if (awaited.size() >= nextSweep) {
      awaited.removeIf(each -> !each.isNew());
      nextSweep = 2 * awaited.size() + 1;
    }
    awaited.add(task);
  }

  /// Called when code waits for the end of a task. Any thread.
  public static <T extends @Nullable Object> void listened(TaskCore<T> task) {
    if (!task.isNew()) {
      return;
    }
    Loop loop = task.loop;
    if (loop.isCaller()) {
      addOrEnd(task);
      return;
    }
    boolean taken = loop.post(() -> addOrEnd(task));
    if (!taken && task.isNew()) { // which it remains: no turn comes any more
      task.complete(new Outcome.Cancelled<>(request(task).toCancelled()));
    }
  }

  private static void addOrEnd(TaskCore<?> task) {
    Loop loop = task.loop;
    if (!task.isNew() || task.isDone()) {
      return;
    }
    if (loop.isClosing()) {
      end(task);
    } else {
      of(loop).add(task);
    }
  }

  private static void end(TaskCore<?> task) {
    boolean _ = task.cancelHere(request(task));
  }

  private static CancelRequest request(TaskCore<?> task) {
    Loop loop = task.loop;
    return CancelRequest.here(
        "task '" + task.name() + "'",
        "the scheduler closes, and it has not begun",
        loop.callerName(),
        null);
  }
}
