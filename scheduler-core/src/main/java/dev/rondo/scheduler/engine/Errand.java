package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.PinnedException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// User code that runs in the turn of a task, but outside of the task: no task is current, and the
/// frames of the task are not on the stack. For instance a predicate that a task begins to await.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the type of the result
final class Errand<T extends @Nullable Object> implements Runnable {

  private final Turns turns;
  private final Supplier<T> code;
  private @Nullable T value;
  private @Nullable Throwable failure;
  private boolean over;

  /// The task that waits for the end of the code, because a call of the JDK blocks the code; null
  /// if none waits.
  private @Nullable StackfulTask<?> blocked;

  Errand(Turns turns, Supplier<T> code) {
    this.turns = turns;
    this.code = code;
  }

  @Override
  public void run() {
    boolean wasHidden = turns.hideCurrentTask();
    try {
      value = code.get();
    } catch (Throwable e) {
      failure = e;
    } finally {
      turns.restoreCurrentTask(wasHidden);
    }
    over = true;
    if (blocked != null) {
      blocked.unblocked();
    }
  }

  /// Makes the running task leave its stack while the code runs, and keep its turn. If the stack is
  /// pinned, the code runs above it.
  void runOutsideOf(StackfulTask<?> task) {
    Loop loop = task.loop;
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

  /// Runs the code for which a task has left its stack, and then resumes the task.
  ///
  /// @return why the task left its stack after that; BLOCKED if the code has not ended
  static Coroutine.Pause runFor(StackfulTask<?> task, Coroutine own) {
    Loop loop = task.loop;
    Coroutine.Pause pause = Coroutine.Pause.SUSPENDED;
    for (Errand<?> errand; (errand = loop.errand) != null; ) {
      loop.errand = null;
      loop.runUserCode(() -> "errand of " + task.name(), errand);
      if (errand.block(task)) {
        return Coroutine.Pause.BLOCKED;
      }
      if (loop.tasksHaveThreads) {
        loop.turnGoesTo(own.thread());
      }
      pause = own.resume();
    }
    return pause;
  }

  /// Makes a task wait for the end of the code.
  ///
  /// @return false if the code has ended already
  boolean block(StackfulTask<?> task) {
    if (over) {
      return false;
    }
    blocked = task;
    return true;
  }

  /// Returns the result of the code, or throws its exception.
  @SuppressWarnings("NullAway") // null only if T admits it
  T result() {
    if (failure != null) {
      throw Throwables.rethrow(failure);
    }
    return value;
  }
}
