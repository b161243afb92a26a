package dev.rondo.scheduler.engine.outside;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.WaitStep;
import dev.rondo.scheduler.engine.WaiterCore;
import dev.rondo.scheduler.engine.rooms.HeldWait;
import dev.rondo.scheduler.internal.rooms.HeldFuture;
import org.jspecify.annotations.Nullable;

/// The completion of a future that accepts callbacks. All waits of a scheduler for the future share
/// one callback, see [FutureHub]. So each wait begins and ends in constant time, and the future
/// keeps no trace of a wait that was given up.
final class FutureCompletion<T extends @Nullable Object> extends WaitStep<T>
    implements HeldWait<T> {

  /// Registers the callback.
  @FunctionalInterface
  interface Source<T extends @Nullable Object> {

    /// Registers a callback.
    void begin(Callback<? super T> callback);
  }

  /// Takes the outcome of a future. Any thread.
  @FunctionalInterface
  interface Callback<T extends @Nullable Object> {

    /// Takes the value or the failure.
    ///
    /// @param value null for a failure
    /// @param failure null for a value
    /// @return whether any task waits for the outcome
    boolean completed(@Nullable T value, @Nullable Throwable failure);
  }

  private final Object future;
  private final Source<T> source;

  /// The future, if it is a task.
  private final @Nullable TaskCore<?> task;

  FutureCompletion(Object future, Source<T> source, @Nullable TaskCore<?> task) {
    this.future = future;
    this.source = source;
    this.task = task;
  }

  @Override
  public boolean isHeldLater() {
    return task != null || future instanceof HeldFuture;
  }

  @Override
  public @Nullable Task<?> holder() {
    return future instanceof HeldFuture held ? held.holder() : task;
  }

  @Override
  public void arm(Waiter<? super T> waiter) {
    hub(waiter).add(waiter, WaiterCore.loopOf(waiter), source, task);
  }

  @Override
  public void disarm(Waiter<? super T> waiter) {
    hub(waiter).remove(waiter);
  }

  private FutureHub<T> hub(Waiter<?> waiter) {
    Loop loop = WaiterCore.loopOf(waiter);
    return FutureHub.of(loop, future, !isCompletedBy(loop));
  }

  /// Whether the future is known to be completed by tasks of a loop.
  private boolean isCompletedBy(Loop loop) {
    if (task != null) {
      return task.loop == loop;
    }
    return future instanceof HeldFuture held && held.scheduler() == loop.scheduler;
  }

  @Override
  public String toString() {
    return "completion of " + (task == null ? future : "task '" + task.name() + "'");
  }
}
