package dev.rondo.scheduler.engine.outside;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.EventSource;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.OutsideWaits;
import dev.rondo.scheduler.engine.TaskCore;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What the kernel asks of this room.
public final class OutsideRoom extends OutsideWaits {

  /// For the kernel, see [dev.rondo.scheduler.engine.Rooms].
  public OutsideRoom() {}

  @Override
  protected <T extends @Nullable Object> T offStack(Loop loop, Supplier<T> code) {
    return TaskErrand.of(loop, code);
  }

  @Override
  protected <T extends @Nullable Object> T join(TaskCore<T> task) {
    return TaskGets.join(task);
  }

  @Override
  protected <T extends @Nullable Object> T get(TaskCore<T> task)
      throws InterruptedException, ExecutionException {
    return TaskGets.get(task);
  }

  @Override
  protected <T extends @Nullable Object> T get(TaskCore<T> task, long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    return TaskGets.get(task, timeout, unit);
  }

  @Override
  protected <T extends @Nullable Object> CompletableFuture<T> future(TaskCore<T> task) {
    return TaskFuture.of(task);
  }

  @Override
  protected EventSource joined(EventSource first, EventSource second) {
    return JointEvents.of(first, second);
  }

  @Override
  protected <T extends @Nullable Object> Waitable<T> completion(Future<T> future) {
    return FutureWaits.of(future);
  }

  @Override
  protected <T extends @Nullable Object> Waitable<T> completion(
      Future<T> future, Consumer<? super T> ifLate) {
    return new OwnedFutureWait<>(future, false, ifLate);
  }

  @Override
  protected <T extends @Nullable Object> Waitable<T> cancelled(
      Future<T> future, Consumer<? super T> ifLate) {
    return new OwnedFutureWait<>(future, true, ifLate);
  }

  @Override
  protected <T extends @Nullable Object> Waitable<T> call(
      String name, Callable<? extends T> code, Consumer<? super T> ifLate) {
    return BlockingCall.of(name, code, ifLate);
  }
}
