package dev.rondo.scheduler.engine.select;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.engine.Place;
import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.Throwables;
import dev.rondo.scheduler.engine.WaiterCore;
import org.jspecify.annotations.Nullable;

/// A waiter that takes an event for a task only if the event has already come. It does not change
/// the value that the task was handed for its turn.
final class TryWaiter extends WaiterCore<Object> {

  private final TaskCore<?> task;
  private boolean settled;
  private @Nullable Object raw;
  private @Nullable Throwable failure;

  private TryWaiter(TaskCore<?> task) {
    super(false);
    this.task = task;
  }

  /// Takes an event that has already come.
  ///
  /// @param task the task that takes the event
  /// @param event what to take
  /// @return the value of the event; null if the event has not come
  static @Nullable Object take(TaskCore<?> task, Waitable<Object> event) {
    Waitable<Object> source = task.prepared(event);
    var waiter = new TryWaiter(task);
    return source.poll(waiter) ? Composite.finish(source, waiter.taken()) : null;
  }

  @Override
  public Rooms.Claim claim() {
    throw new IllegalStateException("claim() of a waiter that only polls: it must not be kept");
  }

  @Override
  public TaskCore<?> task() {
    return task;
  }

  @Override
  public boolean isSettled() {
    return settled;
  }

  @Override
  public boolean settle(@Nullable Object taken, @Nullable Throwable cause, Place place) {
    if (settled) {
      return false;
    }
    settled = true;
    raw = taken;
    failure = cause;
    return true;
  }

  /// Returns the value with which this waiter was settled, or throws the failure.
  @Nullable Object taken() {
    if (failure != null) {
      throw Throwables.rethrow(Throwables.DeferredFailure.made(failure));
    }
    return raw;
  }
}
