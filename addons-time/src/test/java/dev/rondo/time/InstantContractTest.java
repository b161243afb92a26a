package dev.rondo.time;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;
import java.time.Duration;

/// [WaitForTime#at(Deadline)] as a Waitable.
final class InstantContractTest extends WaitableContract<Void> {

  /// Longer than any timeout of the contract.
  private static final Duration DISTANCE = Duration.ofHours(1);

  private WaitForTime timers;

  @Override
  protected Waitable<Void> make() {
    timers = WaitForTime.on(scheduler);
    return timers.at(timers.now().plus(DISTANCE));
  }

  @Override
  protected Kind kind() {
    return Kind.LASTING;
  }

  @Override
  protected Void happen() {
    time.advance(DISTANCE);
    return null;
  }

  @Override
  protected int registered() {
    return timers.waiterCount();
  }
}
