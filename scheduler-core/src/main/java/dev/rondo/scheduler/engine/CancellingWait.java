package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// The completion of a future, which is cancelled when a wait for it is given up.
final class CancellingWait<T extends @Nullable Object> implements Waitable<T> {

  private final Waitable<T> completion;
  private final Future<T> future;

  CancellingWait(Waitable<T> completion, Future<T> future) {
    this.completion = completion;
    this.future = future;
  }

  @Override
  public boolean poll(Waiter<? super T> waiter) {
    return completion.poll(waiter);
  }

  @Override
  public void arm(Waiter<? super T> waiter) {
    completion.arm(waiter);
  }

  /// Cancels the future, whose callbacks are user code.
  @Override
  public void disarm(Waiter<? super T> waiter) {
    completion.disarm(waiter);
    Loop loop = WaiterCore.loopOf(waiter);
    loop.runUserCode(() -> "cancel of a future", () -> cancel(loop));
  }

  private void cancel(Loop loop) {
    try {
      var _ = future.cancel(true);
    } catch (Throwable e) {
      loop.report("cancel of a future that is no longer awaited", e);
    }
  }

  @Override
  public boolean isEager() {
    return completion.isEager();
  }

  @Override
  public String toString() {
    return completion.toString();
  }
}
