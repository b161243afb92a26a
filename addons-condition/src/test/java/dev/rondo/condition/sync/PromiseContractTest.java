package dev.rondo.condition.sync;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;

/// [Promise] as a Waitable.
final class PromiseContractTest extends WaitableContract<String> {

  private Promise<String> promise;

  @Override
  protected Waitable<String> make() {
    promise = new Promise<>(scheduler, "p");
    return promise;
  }

  @Override
  protected Kind kind() {
    return Kind.LASTING;
  }

  @Override
  protected String happen() {
    promise.fulfill("value");
    return "value";
  }

  @Override
  protected int registered() {
    return promise.waiterCount();
  }
}
