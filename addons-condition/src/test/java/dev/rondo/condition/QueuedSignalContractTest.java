package dev.rondo.condition;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;

/// [QueuedSignal] as a Waitable.
final class QueuedSignalContractTest extends WaitableContract<String> {

  private QueuedSignal<String> signal;
  private int sent;

  @Override
  protected Waitable<String> make() {
    signal = new QueuedSignal<>(scheduler, "q");
    return signal;
  }

  @Override
  protected Kind kind() {
    return Kind.TAKEN;
  }

  @Override
  protected String happen() {
    String payload = "payload" + ++sent;
    signal.signalOne(payload);
    return payload;
  }

  @Override
  protected int registered() {
    return signal.waiterCount();
  }
}
