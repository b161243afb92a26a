package dev.rondo.bound;

import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.scheduler.testing.CoroutineContract;

class BoundBackendTest extends CoroutineContract {

  @Override
  protected CoroutineBackend backend() {
    return CoroutineBackends.bound();
  }

  @Override
  protected boolean nests() {
    return false;
  }

  @Override
  protected boolean blocksApart() {
    return true;
  }
}
