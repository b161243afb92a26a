package dev.rondo.scheduler;

import dev.rondo.scheduler.testing.WaitableContract;

/// A signal: a queue of waiters and nothing else.
class SignalWaitableTest extends WaitableContract<Object> {

  private final WaitQueueEvent signal = new WaitQueueEvent();
  private int count;

  @Override
  protected Waitable<Object> make() {
    return signal;
  }

  /// The events of this test belong to no scheduler.
  @Override
  protected boolean isForAnyScheduler() {
    return true;
  }

  @Override
  protected Kind kind() {
    return Kind.PASSING;
  }

  @Override
  protected Object happen() {
    String value = "signal" + ++count;
    signal.fireAll(value);
    return value;
  }

  @Override
  protected int registered() {
    return signal.waiters();
  }
}
