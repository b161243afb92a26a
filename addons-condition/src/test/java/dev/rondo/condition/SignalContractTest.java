package dev.rondo.condition;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;

/// [Signal] as a Waitable.
final class SignalContractTest extends WaitableContract<String> {

  private Signal<String> signal;
  private int sent;

  @Override
  protected Waitable<String> make() {
    signal = new Signal<>(scheduler, "signal");
    return signal;
  }

  @Override
  protected Kind kind() {
    return Kind.PASSING;
  }

  @Override
  protected String happen() {
    String payload = "payload" + ++sent;
    signal.signalAll(payload);
    return payload;
  }

  @Override
  protected int registered() {
    return signal.waiterCount();
  }
}
