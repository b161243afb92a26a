package dev.rondo.scheduler;

import dev.rondo.scheduler.testing.WaitableContract;

/// A mapped and guarded waitable is a waitable like any other.
class MappedWaitableTest extends WaitableContract<String> {

  private final Permits permits = new Permits();

  @Override
  protected Waitable<String> make() {
    return Waitable.guard(() -> permits.map(number -> "permit " + number));
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
  protected String happen() {
    return "permit " + permits.release();
  }

  @Override
  protected int registered() {
    return permits.waiters();
  }
}
