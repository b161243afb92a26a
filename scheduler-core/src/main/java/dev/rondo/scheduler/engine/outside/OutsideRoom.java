package dev.rondo.scheduler.engine.outside;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.EventSource;
import dev.rondo.scheduler.engine.OutsideWaits;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What the kernel asks of this room.
public final class OutsideRoom extends OutsideWaits {

  /// For the kernel, see [dev.rondo.scheduler.engine.Rooms].
  public OutsideRoom() {}

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
