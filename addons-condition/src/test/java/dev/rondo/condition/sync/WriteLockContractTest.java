package dev.rondo.condition.sync;

/// The write side of a [ReadWriteLock] as a Waitable.
final class WriteLockContractTest extends LockContract {

  private ReadWriteLock lock;

  @Override
  Lock makeLock() {
    lock = new ReadWriteLock(scheduler, "rw");
    return lock.writeLock();
  }

  @Override
  Lock conflicting() {
    return lock.readLock();
  }
}
