package dev.rondo.scheduler;

import org.jspecify.annotations.Nullable;

/// Takes an event for a task if it is there at once. What the task was handed for its turn stays.
final class TryWaiter extends Waiter<Object> {

  private final Task<?> task;
  private boolean settled;
  private @Nullable Object raw;
  private @Nullable Throwable failure;

  TryWaiter(Task<?> task) {
    this.task = task;
  }

  @Override
  public Task<?> task() {
    return task;
  }

  @Override
  boolean isSettled() {
    return settled;
  }

  @Override
  boolean settle(@Nullable Object taken, @Nullable Throwable cause, boolean front) {
    if (settled) {
      return false;
    }
    settled = true;
    raw = taken;
    failure = cause;
    return true;
  }

  /// What it was settled with; throws that if it is a failure.
  @Nullable Object taken() {
    if (failure != null) {
      throw Throwables.rethrow(DeferredFailure.made(failure));
    }
    return raw;
  }
}
