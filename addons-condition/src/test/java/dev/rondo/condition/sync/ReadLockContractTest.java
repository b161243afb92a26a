package dev.rondo.condition.sync;

/// The read side of a [ReadWriteLock] as a Waitable.
final class ReadLockContractTest extends LockContract {

  private ReadWriteLock lock;

  @Override
  Lock makeLock() {
    lock = new ReadWriteLock(scheduler, "rw");
    return lock.readLock();
  }

  @Override
  Lock conflicting() {
    return lock.writeLock();
  }
}
