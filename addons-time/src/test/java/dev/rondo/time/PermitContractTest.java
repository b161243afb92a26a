package dev.rondo.time;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;
import java.time.Duration;

/// [RateLimiter] as a Waitable.
final class PermitContractTest extends WaitableContract<Void> {

  private static final int PERMITS = 1_000;

  /// Longer than any timeout of the contract.
  private static final Duration DISTANCE = Duration.ofHours(1);

  private RateLimiter limiter;

  @Override
  protected Waitable<Void> make() {
    limiter = new RateLimiter(scheduler, PERMITS, DISTANCE.multipliedBy(PERMITS));
    while (limiter.tryAcquire()) {
      // Until none is left.
    }
    return limiter;
  }

  @Override
  protected Kind kind() {
    return Kind.TAKEN;
  }

  @Override
  protected Void happen() {
    time.advance(DISTANCE);
    return null;
  }

  @Override
  protected int registered() {
    return limiter.waiterCount();
  }
}
