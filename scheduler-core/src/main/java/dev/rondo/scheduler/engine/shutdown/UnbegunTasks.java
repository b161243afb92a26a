package dev.rondo.scheduler.engine.shutdown;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.engine.CancelRequest;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.Rooms;
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
public final class UnbegunTasks implements Rooms.Unbegun {

  private final Set<TaskCore<?>> awaited = new LinkedHashSet<>();

  /// Makes an empty set, for one loop.
  public UnbegunTasks() {}

  @Override
  public void remove(TaskCore<?> task) {
    awaited.remove(task);
  }

  @Override
  public void add(TaskCore<?> task) {
    awaited.add(task);
  }

  @Override
  public void endAll() {
    List.copyOf(awaited).forEach(UnbegunTasks::end);
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
    boolean taken = loop.postChange(() -> addOrEnd(task));
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
      Rooms.Unbegun all = loop.unbegun();
      all.add(task);
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
