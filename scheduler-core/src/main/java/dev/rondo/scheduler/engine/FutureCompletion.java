package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.HeldFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The completion of a future that accepts callbacks. All waits of a scheduler for the future share
/// one callback, see [FutureHub]. So each wait begins and ends in constant time, and the future
/// keeps no trace of a wait that was given up.
final class FutureCompletion<T extends @Nullable Object> extends WaitStep<T> {

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

  /// The task whose future this is; null if the future is not that of a task.
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
    Loop loop = WaiterCore.loopOf(waiter);
    hub(loop).add(waiter, loop, source);
  }

  @Override
  public void disarm(Waiter<? super T> waiter) {
    hub(WaiterCore.loopOf(waiter)).remove(waiter);
  }

  private FutureHub<T> hub(Loop loop) {
    FutureHubs hubs = loop.futureHubs;
    return hubs.of(future, !isCompletedBy(loop));
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
