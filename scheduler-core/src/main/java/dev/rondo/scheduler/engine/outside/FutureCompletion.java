package dev.rondo.scheduler.engine.outside;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.WaitStep;
import dev.rondo.scheduler.engine.WaiterCore;
import dev.rondo.scheduler.engine.rooms.HeldWait;
import dev.rondo.scheduler.internal.rooms.HeldFuture;
import java.util.function.BiConsumer;
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
    ///
    /// @param callback takes the value, or a failure that is not null; any thread
    void begin(BiConsumer<? super T, ? super @Nullable Throwable> callback);
  }

  private final Object future;
  private final Source<T> source;

  /// The task to which the future belongs; null if the future does not belong to a task.
  private final @Nullable Task<?> task;

  FutureCompletion(Object future, Source<T> source, @Nullable Task<?> task) {
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
    hub(waiter).add(waiter, WaiterCore.loopOf(waiter), source);
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
      return TaskCore.of(task).loop == loop;
    }
    return future instanceof HeldFuture held && held.scheduler() == loop.scheduler;
  }

  @Override
  public String toString() {
    return "completion of " + (task == null ? future : "task '" + task.name() + "'");
  }
}
