package dev.rondo.scheduler.engine;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Code of users that runs for a task, in its turn, but outside of it: no task is current, and the
/// frames of the task are not on the stack.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the result
final class Errand<T extends @Nullable Object> implements Runnable {

  private final Turns turns;
  private final Supplier<T> code;
  private @Nullable T value;
  private @Nullable Throwable failure;
  private boolean over;

  /// Goes on when the code is over; null as long as none has to.
  private @Nullable StackfulTask<?> blocked;

  Errand(Turns turns, Supplier<T> code) {
    this.turns = turns;
    this.code = code;
  }

  @Override
  public void run() {
    boolean before = turns.obscure(true);
    try {
      value = code.get();
    } catch (Throwable e) {
      failure = e;
    } finally {
      turns.obscure(before);
    }
    over = true;
    if (blocked != null) {
      blocked.unblocked();
    }
  }

  /// Has a task go on when the code is over.
  ///
  /// @return false if it is over already
  boolean block(StackfulTask<?> task) {
    if (over) {
      return false;
    }
    blocked = task;
    return true;
  }

  /// What the code returned, or throws what it threw.
  @SuppressWarnings("NullAway") // null only if T admits it
  T result() {
    if (failure != null) {
      throw Throwables.rethrow(failure);
    }
    return value;
  }
}
