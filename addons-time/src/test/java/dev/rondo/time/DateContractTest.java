package dev.rondo.time;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// [WallClock#at] as a Waitable.
final class DateContractTest extends WaitableContract<Instant> {

  /// Longer than any timeout of the contract.
  private static final Duration DISTANCE = Duration.ofHours(1);

  private Instant now = Instant.EPOCH;
  private WallClock clock;

  @Override
  protected Waitable<Instant> make() {
    InstantSource source = () -> now;
    clock = new WallClock(scheduler, source, DISTANCE);
    return clock.at(now.plus(DISTANCE));
  }

  @Override
  protected Kind kind() {
    return Kind.LASTING;
  }

  @Override
  protected Instant happen() {
    now = now.plus(DISTANCE);
    time.advance(DISTANCE);
    return now;
  }

  @Override
  protected int registered() {
    return clock.waiterCount();
  }
}
