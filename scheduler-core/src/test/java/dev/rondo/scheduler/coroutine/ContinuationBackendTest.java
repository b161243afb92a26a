package dev.rondo.scheduler.coroutine;

import dev.rondo.scheduler.testing.CoroutineContract;

class ContinuationBackendTest extends CoroutineContract {

  @Override
  protected CoroutineBackend backend() {
    return CoroutineBackends.continuation();
  }
}
