package dev.rondo.condition;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;

/// A [CompositeSignal] of any as a Waitable.
final class OnAnyContractTest extends WaitableContract<Fired<Integer>> {

  private Signal<Integer> a;
  private Signal<Integer> b;
  private CompositeSignal<Fired<Integer>> any;

  @Override
  protected Waitable<Fired<Integer>> make() {
    WaitForSignal signals = WaitForSignal.on(scheduler);
    a = signals.newSignal("a");
    b = signals.newSignal("b");
    any = signals.onAny(a, b);
    return any;
  }

  @Override
  protected Kind kind() {
    return Kind.PASSING;
  }

  @Override
  protected Fired<Integer> happen() {
    b.signalOne(2);
    return new Fired<>(b, 2);
  }

  @Override
  protected int registered() {
    return any.waiterCount();
  }
}
