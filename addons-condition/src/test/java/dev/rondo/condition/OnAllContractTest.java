package dev.rondo.condition;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;
import java.util.List;

/// A [CompositeSignal] of all as a Waitable.
final class OnAllContractTest extends WaitableContract<List<Integer>> {

  private Signal<Integer> a;
  private Signal<Integer> b;
  private CompositeSignal<List<Integer>> all;

  @Override
  protected Waitable<List<Integer>> make() {
    WaitForSignal signals = WaitForSignal.on(scheduler);
    a = new Signal<>(scheduler, "a");
    b = new Signal<>(scheduler, "b");
    all = signals.onAll(a, b);
    return all;
  }

  @Override
  protected Kind kind() {
    return Kind.PASSING;
  }

  @Override
  protected List<Integer> happen() {
    a.signalAll(1);
    b.signalOne(2);
    return List.of(1, 2);
  }

  @Override
  protected int registered() {
    return all.waiterCount();
  }
}
