package dev.rondo.condition;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;
import org.jspecify.annotations.Nullable;

/// [Latch] as a Waitable.
final class LatchContractTest extends WaitableContract<@Nullable Void> {

  private Latch latch;

  @Override
  protected Waitable<@Nullable Void> make() {
    latch = new Latch(scheduler, "l", 2);
    latch.countDown();
    return latch;
  }

  @Override
  protected Kind kind() {
    return Kind.LASTING;
  }

  @Override
  protected @Nullable Void happen() {
    latch.countDown();
    return null;
  }

  @Override
  protected int registered() {
    return latch.tasksPending();
  }
}
