package dev.rondo.condition.sync;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;

/// Several permits of a [Semaphore] as a Waitable.
final class SemaphorePermitsContractTest extends WaitableContract<String> {

  private Semaphore semaphore;

  @Override
  protected Waitable<String> make() {
    semaphore = new Semaphore(scheduler, "s", 1);
    return semaphore.permits(2).map(SemaphorePermit::toString);
  }

  @Override
  protected Kind kind() {
    return Kind.TAKEN;
  }

  @Override
  protected String happen() {
    semaphore.release(1);
    semaphore.release(1);
    return "permits=2 of semaphore 's'";
  }

  @Override
  protected int registered() {
    return semaphore.waiterCount();
  }
}
