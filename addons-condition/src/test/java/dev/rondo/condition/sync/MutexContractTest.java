package dev.rondo.condition.sync;

/// [Mutex] as a Waitable.
final class MutexContractTest extends LockContract {

  private Mutex mutex;

  @Override
  Lock makeLock() {
    mutex = new Mutex(scheduler, "m");
    return mutex;
  }

  @Override
  Lock conflicting() {
    return mutex;
  }
}
