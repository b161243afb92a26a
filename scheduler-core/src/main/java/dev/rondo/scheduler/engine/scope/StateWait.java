package dev.rondo.scheduler.engine.scope;

import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.engine.Place;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.WaitStep;
import dev.rondo.scheduler.engine.WaiterCore;
import org.jspecify.annotations.Nullable;

/// A condition for which one task at a time waits. The code that makes the condition true wakes the
/// task, which checks the condition again.
///
/// Confined to the scheduler's thread.
abstract class StateWait extends WaitStep<@Nullable Void> {

  private @Nullable WaiterCore<?> waiting;

  /// Whether the condition is true now.
  abstract boolean isMet();

  /// Wakes the waiting task, because the condition has become true.
  final void wake(Place place) {
    WaiterCore<?> woken = waiting;
    waiting = null;
    if (woken != null) {
      woken.settle(null, null, place);
    }
  }

  /// Null while no task waits.
  final @Nullable TaskCore<?> waitingTask() {
    return waiting == null ? null : waiting.task();
  }

  @Override
  public final boolean poll(Waiter<? super @Nullable Void> waiter) {
    return isMet() && WaiterCore.settle(waiter, null, null, Place.BACK);
  }

  @Override
  public final void arm(Waiter<? super @Nullable Void> waiter) {
    assert waiting == null : waiting;
    waiting = (WaiterCore<?>) waiter;
  }

  @Override
  public final void disarm(Waiter<? super @Nullable Void> waiter) {
    waiting = null;
  }
}
