package dev.rondo.condition;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;

/// [Phaser] as a Waitable: the end of the current phase.
final class PhaserContractTest extends WaitableContract<Long> {

  private Phaser phaser;

  @Override
  protected Waitable<Long> make() {
    phaser = new Phaser(scheduler, "p", 2);
    return phaser;
  }

  @Override
  protected Kind kind() {
    return Kind.PASSING;
  }

  @Override
  protected Long happen() {
    phaser.arrive();
    return phaser.arrive() + 1;
  }

  @Override
  protected int registered() {
    return phaser.tasksPending();
  }
}
