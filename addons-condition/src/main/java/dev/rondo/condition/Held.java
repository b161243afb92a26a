package dev.rondo.condition;

import dev.rondo.scheduler.Holding;
import dev.rondo.scheduler.Task;

/// A lock that a task has: to be closed by that task, best by try-with-resources.
///
/// There is a new one each time a lock is taken, so one that was closed can never release what its
/// task, or another one, has taken since.
///
/// Confined to the scheduler's thread.
public final class Held extends Holding implements AutoCloseable {

  private final Lock lock;

  Held(Lock lock, Task<?> task) {
    this.lock = lock;
    take(task);
  }

  /// {@return the lock that this is of}
  public Lock lock() {
    return lock;
  }

  /// Unlocks. Whoever has waited longest has the lock when this returns, and runs when the caller
  /// gives way. Closing again does nothing. Never a suspension point.
  ///
  /// @throws IllegalStateException if another task has it, which keeps it
  /// @throws WrongThreadException on another thread
  @Override
  public void close() {
    lock.close(this);
  }

  /// It was given to somebody who did not take it, or is not needed any more.
  void drop() {
    giveBack();
  }

  @Override
  protected void abandoned(Task<?> task) {
    lock.abandoned(task);
  }

  @Override
  public String toString() {
    Task<?> holder = holder();
    return lock + (holder == null ? ", unlocked" : ", held by task '" + holder.name() + "'");
  }
}
