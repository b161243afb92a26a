package dev.rondo.scheduler;

import dev.rondo.scheduler.testing.WaitableContract;
import java.util.List;

/// A choice is a waitable like any other.
class ChoiceWaitableTest extends WaitableContract<Object> {

  private final Permits permits = new Permits();

  @Override
  protected Waitable<Object> make() {
    return Waitable.anyOf(List.of(Waitable.never(), permits, Waitable.never()));
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
  protected Object happen() {
    return permits.release();
  }

  @Override
  protected int registered() {
    return permits.waiters();
  }
}
