package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import org.jspecify.annotations.Nullable;

/// A fact that one task at a time waits for; the code that makes it true wakes the task.
///
/// The task looks at the fact itself, and waits again while it is not so.
///
/// Confined to the scheduler's thread.
abstract class StateWait implements Waitable<@Nullable Void> {

  private @Nullable Waiter<? super @Nullable Void> waiting;

  /// Whether it is so now.
  abstract boolean isSo();

  /// It has become so: wakes the task that waits.
  ///
  /// @param front whether it goes to the front of the ready queue
  final void tell(boolean front) {
    Waiter<? super @Nullable Void> told = waiting;
    waiting = null;
    if (told != null) {
      WaiterCore.settle(told, null, null, front);
    }
  }

  /// Null while no task waits.
  final @Nullable TaskCore<?> waitingTask() {
    return waiting == null ? null : TaskCore.of(waiting.task());
  }

  @Override
  public final boolean poll(Waiter<? super @Nullable Void> waiter) {
    return isSo() && WaiterCore.settle(waiter, null, null, false);
  }

  @Override
  public final void arm(Waiter<? super @Nullable Void> waiter) {
    assert waiting == null : waiting;
    waiting = waiter;
  }

  @Override
  public final void disarm(Waiter<? super @Nullable Void> waiter) {
    waiting = null;
  }
}
