package dev.rondo.condition.sync;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;

/// [Promise#settled()] as a Waitable.
final class PromiseSettledContractTest extends WaitableContract<Promise<String>> {

  private Promise<String> promise;

  @Override
  protected Waitable<Promise<String>> make() {
    promise = new Promise<>(scheduler, "p");
    return promise.settled();
  }

  @Override
  protected Kind kind() {
    return Kind.LASTING;
  }

  @Override
  protected Promise<String> happen() {
    promise.fail(new IllegalStateException("on purpose"));
    return promise;
  }

  @Override
  protected int registered() {
    return promise.waiterCount();
  }
}
