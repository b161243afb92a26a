package dev.rondo.condition.sync;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.OwnedResource;

/// What a task has of a lock. A mutex has one for all its life, so locking leaves no object behind:
/// the [LockGuard] that users get is known nowhere else, and where the compiler sees its closing
/// too it is not made at all.
///
/// Confined to the scheduler's thread.
final class LockOwnership extends OwnedResource {

  private final Lock lock;

  /// How often it was taken: what tells a task's handle from the one it had before.
  private long takings;

  /// Nobody has it yet.
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
