package dev.rondo.scheduler.coroutine;

import dev.rondo.scheduler.testing.CoroutineContract;

class HandoffBackendTest extends CoroutineContract {

  @Override
  protected CoroutineBackend backend() {
    return CoroutineBackends.handoff();
  }

  @Override
  protected boolean pins() {
    return false;
  }
}
