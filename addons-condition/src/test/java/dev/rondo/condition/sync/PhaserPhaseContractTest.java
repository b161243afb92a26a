package dev.rondo.condition.sync;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;

/// One phase of a [Phaser] as a Waitable.
final class PhaserPhaseContractTest extends WaitableContract<Long> {

  private Phaser phaser;
  private Phaser.Party first;
  private Phaser.Party second;

  @Override
  protected Waitable<Long> make() {
    phaser = new Phaser(scheduler, "p");
    first = phaser.register();
    second = phaser.register();
    return phaser.phase(0);
  }

  @Override
  protected Kind kind() {
    return Kind.LASTING;
  }

  @Override
  protected Long happen() {
    first.arrive();
    return second.arrive() + 1;
  }

  @Override
  protected int registered() {
    return phaser.waiterCount();
  }
}
