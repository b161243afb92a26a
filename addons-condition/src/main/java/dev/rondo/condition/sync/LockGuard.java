package dev.rondo.condition.sync;

import dev.rondo.scheduler.Task;
import org.jspecify.annotations.Nullable;

/// A lock that a task has: to be closed by that task, best by try-with-resources.
///
/// There is a new one each time a lock is taken, so one that was closed can never release what its
/// task, or another one, has taken since.
///
/// Confined to the scheduler's thread.
public final class LockGuard implements AutoCloseable {

  private final LockOwnership possession;
  private final long taking;

  /// What a task has just taken.
  LockGuard(LockOwnership possession) {
    this.possession = possession;
    this.taking = possession.takings();
  }

  /// {@return the lock that this is of}
  public Lock lock() {
    return possession.lock();
  }

  /// {@return the task that has it; null once it is unlocked}
  public @Nullable Task<?> holder() {
    return possession.takings() == taking ? possession.holder() : null;
  }

  /// Unlocks. Whoever has waited longest has the lock when this returns, and runs when the caller
  /// gives way. Closing again does nothing. Never a suspension point.
  ///
  /// @throws IllegalStateException if another task has it, which keeps it
  /// @throws WrongThreadException on another thread
  @Override
  public void close() {
    possession.lock().close(this);
  }

  LockOwnership possession() {
    return possession;
  }

  @Override
  public String toString() {
    Task<?> holder = holder();
    return lock() + (holder == null ? ", unlocked" : ", held by task '" + holder.name() + "'");
  }
}
