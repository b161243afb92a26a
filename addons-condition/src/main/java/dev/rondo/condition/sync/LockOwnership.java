package dev.rondo.condition.sync;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.internal.rooms.OwnedResource;

/// The ownership of a lock by a task. A mutex has one such object for all its life, so locking
/// allocates nothing that lasts. Only the user's code refers to a [LockGuard]. Where the compiler
/// sees that code close the guard, it does not allocate the guard.
///
/// Confined to the scheduler's thread.
final class LockOwnership extends OwnedResource {

  private final Lock lock;

  /// The number of times the lock was taken. It distinguishes a guard from an earlier guard of the
  /// same task.
  private long takings;

  /// Makes an ownership without a holder.
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
