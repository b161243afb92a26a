package dev.rondo.condition.sync;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;

/// [Latch] as a Waitable.
final class LatchContractTest extends WaitableContract<Latch> {

  private Latch latch;

  @Override
  protected Waitable<Latch> make() {
    latch = new Latch(scheduler, "l", 2);
    latch.countDown();
    return latch;
  }

  @Override
  protected Kind kind() {
    return Kind.LASTING;
  }

  @Override
  protected Latch happen() {
    latch.countDown();
    return latch;
  }

  @Override
  protected int registered() {
    return latch.waiterCount();
  }
}
