package dev.rondo.scheduler.engine.outside;

import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.PinnedException;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.StackfulTask;
import dev.rondo.scheduler.engine.Throwables;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// User code that runs in the turn of a task, but outside of the task: no task is current, and the
/// frames of the task are not on the stack. An example is a predicate that a task begins to await.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the type of the result
public final class TaskErrand<T extends @Nullable Object> implements Runnable, Rooms.Errand {

  private final Loop loop;
  private final Supplier<T> code;
  private @Nullable T value;
  private @Nullable Throwable failure;
  private boolean over;

  /// The task that waits for the end of the code, because a call of the JDK blocks the code; null
  /// if no task waits.
  private @Nullable StackfulTask<?> blocked;

  private TaskErrand(Loop loop, Supplier<T> code) {
    this.loop = loop;
    this.code = code;
  }

  /// Runs code outside of tasks, and returns its result.
  public static <T extends @Nullable Object> T of(Loop loop, Supplier<T> code) {
    loop.checkCaller();
    var errand = new TaskErrand<>(loop, code);
    if (loop.currentTask() instanceof StackfulTask<?> task) {
      errand.runOutsideOf(task);
    } else {
      errand.run();
    }
    return errand.result();
  }

  @Override
  public void run() {
    boolean wasHidden = loop.hideCurrentTask();
    try {
      value = code.get();
    } catch (Throwable e) {
      failure = e;
    } finally {
      loop.restoreCurrentTask(wasHidden);
    }
    over = true;
    if (blocked != null) {
      blocked.unblocked();
    }
  }

  /// Makes the running task leave its stack, but keep its turn, while the code runs. If the stack
  /// is pinned, the code runs above it.
  private void runOutsideOf(StackfulTask<?> task) {
    loop.errand = this;
    try {
      Objects.requireNonNull(task.coroutine).suspend();
    } catch (Throwable e) { // pinned, or no room on the stack or in the heap
      loop.errand = null;
      if (!(e instanceof PinnedException)) {
        throw e;
      }
      run();
    }
  }

  @Override
  public Coroutine.Pause runFor(StackfulTask<?> task, Coroutine own) {
    loop.runUserCode(() -> "errand of " + task.name(), this);
    if (!over) {
      blocked = task;
      return Coroutine.Pause.BLOCKED;
    }
    if (loop.tasksHaveThreads) {
      loop.turnGoesTo(own.thread());
    }
    return own.resume();
  }

  /// Returns the result of the code, or throws its exception.
  @SuppressWarnings("NullAway") // null only if T admits it
  private T result() {
    if (failure != null) {
      throw Throwables.rethrow(failure);
    }
    return value;
  }
}
