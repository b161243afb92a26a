package dev.rondo.condition.sync;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;

/// [Barrier] as a Waitable: a task that leaves it has not arrived.
final class BarrierContractTest extends WaitableContract<Boolean> {

  private static final int PARTIES = 4;

  private Barrier barrier;

  @Override
  protected Waitable<Boolean> make() {
    barrier = new Barrier(scheduler, "b", PARTIES);
    return barrier;
  }

  @Override
  protected Kind kind() {
    return Kind.PASSING;
  }

  @Override
  protected Boolean happen() {
    for (int missing = PARTIES - barrier.waiterCount(); missing > 0; missing--) {
      var party = scheduler.newTask("party", () -> {});
      scheduler.queue().scheduleOn(party, barrier);
    }
    return false;
  }

  @Override
  protected int registered() {
    return barrier.waiterCount();
  }
}
