package dev.rondo.condition.sync;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.OwnedResource;

/// The ownership of a lock by a task. A mutex has one such object for all its life, so locking
/// allocates nothing that lasts. Only its user refers to a [LockGuard], and the compiler does not
/// allocate it where it sees that it is closed.
///
/// Confined to the scheduler's thread.
final class LockOwnership extends OwnedResource {

  private final Lock lock;

  /// How often the lock was taken: distinguishes a guard from an earlier one of the same task.
  private long takings;

  /// Makes one without a holder.
  LockOwnership(Lock lock) {
    this.lock = lock;
  }

  Lock lock() {
    return lock;
  }

  long takings() {
    return takings;
  }

  void takenBy(Task<?> task) {
    take(task);
    takings++;
  }

  void drop() {
    giveBack();
  }

  @Override
  protected void abandoned(Task<?> task) {
    lock.abandoned(task);
  }

  @Override
  public String toString() {
    return lock.toString();
  }
}
