package dev.rondo.condition.sync;

import dev.rondo.scheduler.Task;
import org.jspecify.annotations.Nullable;

/// A lock that a task holds. The task closes it, best in a try-with-resources.
///
/// Each acquisition has a guard of its own, so a closed guard can never release a lock that was
/// taken again.
///
/// Confined to the scheduler's thread.
public final class LockGuard implements AutoCloseable {

  private final LockOwnership ownership;
  private final long taking;

  /// Guards a lock that was just taken.
  LockGuard(LockOwnership ownership) {
    this.ownership = ownership;
    this.taking = ownership.takings();
  }

  Lock lock() {
    return ownership.lock();
  }

  /// The task that holds the lock; null once it is unlocked.
  @Nullable Task<?> holder() {
    return ownership.takings() == taking ? ownership.holder() : null;
  }

  /// Unlocks. The task that has waited longest holds the lock when this returns, and runs when the
  /// caller gives way. Closing again does nothing. Never a suspension point.
  ///
  /// @throws IllegalStateException if the caller is not the task that holds the lock, which stays
  ///   locked
  /// @throws WrongThreadException on another thread
  @Override
  public void close() {
    ownership.lock().close(this);
  }

  LockOwnership ownership() {
    return ownership;
  }

  @Override
  public String toString() {
    Task<?> holder = holder();
    return lock() + (holder == null ? ", unlocked" : ", held by task '" + holder.name() + "'");
  }
}
