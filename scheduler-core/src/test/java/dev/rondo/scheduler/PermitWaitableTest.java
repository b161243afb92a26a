package dev.rondo.scheduler;

import dev.rondo.scheduler.testing.WaitableContract;

/// Permits, of which each wait takes one.
class PermitWaitableTest extends WaitableContract<Integer> {

  private final Permits permits = new Permits();

  @Override
  protected Waitable<Integer> make() {
    return permits;
  }

  /// The events of this test belong to no scheduler.
  @Override
  protected boolean isForAnyScheduler() {
    return true;
  }

  @Override
  protected Kind kind() {
    return Kind.TAKEN;
  }

  @Override
  protected Integer happen() {
    return permits.release();
  }

  @Override
  protected int registered() {
    return permits.waiters();
  }
}
