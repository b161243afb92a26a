package dev.rondo.scheduler.engine.outside;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.Source;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.WaitStep;
import dev.rondo.scheduler.engine.WaiterCore;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The completion of a future that belongs to one wait. If the wait is given up, and the future
/// succeeds all the same, its result becomes a [LateResult].
public final class OwnedFutureWait<T extends @Nullable Object> implements Source<T> {

  private final Waitable<T> completion;
  private final Future<T> future;

  /// Whether the future is cancelled when the wait is given up.
  private final boolean cancels;

  private final Consumer<? super T> ifLate;

  /// @param cancels whether the future is cancelled when the wait is given up
  /// @param ifLate receives a result that comes after that
  public OwnedFutureWait(Future<T> future, boolean cancels, Consumer<? super T> ifLate) {
    this.completion = FutureWaits.of(future);
    this.future = future;
    this.cancels = cancels;
    this.ifLate = ifLate;
  }

  @Override
  public boolean poll(Waiter<? super T> waiter) {
    return completion.poll(waiter);
  }

  @Override
  public void arm(Waiter<? super T> waiter) {
    completion.arm(waiter);
  }

  /// Calls the future outside of tasks, because its callbacks are user code.
  @Override
  public void disarm(Waiter<? super T> waiter) {
    completion.disarm(waiter);
    Loop loop = WaiterCore.loopOf(waiter);
    loop.runUserCode(() -> "cancel of a future", () -> leave(loop));
  }

  private void leave(Loop loop) {
    try {
      if (cancels) {
        var _ = future.cancel(true);
      }
      FutureWaits.whenSucceeded(
          future, value -> new LateResult<>(loop, toString(), value, ifLate).arrived());
    } catch (Throwable e) {
      loop.report("cancel of a future that is no longer awaited", e);
    }
  }

  @Override
  public boolean isEager() {
    return WaitStep.isEager(completion);
  }

  @Override
  public String toString() {
    return completion.toString();
  }
}
