package dev.rondo.condition;

import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;

/// A [CompositeSignal] of any as a Waitable.
final class OnAnyContractTest extends WaitableContract<Selection<Integer>> {

  private Signal<Integer> a;
  private Signal<Integer> b;
  private CompositeSignal<Selection<Integer>> any;

  @Override
  protected Waitable<Selection<Integer>> make() {
    WaitForSignal signals = WaitForSignal.on(scheduler);
    a = new Signal<>(scheduler, "a");
    b = new Signal<>(scheduler, "b");
    any = signals.onAny(a, b);
    return any;
  }

  @Override
  protected Kind kind() {
    return Kind.PASSING;
  }

  @Override
  protected Selection<Integer> happen() {
    b.signalOne(2);
    return new Selection<>(1, 2);
  }

  @Override
  protected int registered() {
    return any.waiterCount();
  }
}
