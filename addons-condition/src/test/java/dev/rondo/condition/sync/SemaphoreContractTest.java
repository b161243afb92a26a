package dev.rondo.condition.sync;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;

/// [Semaphore] as a Waitable.
final class SemaphoreContractTest extends WaitableContract<String> {

  private Semaphore semaphore;

  @Override
  protected Waitable<String> make() {
    semaphore = new Semaphore(scheduler, "s", 0);
    return semaphore.map(SemaphorePermit::toString);
  }

  @Override
  protected Kind kind() {
    return Kind.TAKEN;
  }

  @Override
  protected String happen() {
    semaphore.release(1);
    return "permits=1 of semaphore 's'";
  }

  @Override
  protected int registered() {
    return semaphore.waiterCount();
  }
}
