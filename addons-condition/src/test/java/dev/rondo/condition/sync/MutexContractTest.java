package dev.rondo.condition.sync;

/// [Mutex] as a Waitable.
final class MutexContractTest extends LockContract {

  private Mutex mutex;

  @Override
  Lock makeLock() {
    mutex = Mutex.create(scheduler, "m");
    return mutex;
  }

  @Override
  Lock conflicting() {
    return mutex;
  }
}
