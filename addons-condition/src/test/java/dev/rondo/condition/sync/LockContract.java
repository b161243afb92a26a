package dev.rondo.condition.sync;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;

/// A [Lock] as a Waitable: a task holds it and unlocks it for good; each wait locks and unlocks.
abstract class LockContract extends WaitableContract<String> {

  private Lock lock;
  private Task<Void> holder;

  /// The lock under test.
  abstract Lock makeLock();

  /// The lock to take first, so that the lock under test is not free.
  abstract Lock conflicting();

  @Override
  protected final Waitable<String> make() {
    lock = makeLock();
    holder =
        scheduler
            .newTask(
                "holder",
                () -> {
                  try (var _ = conflicting().lock()) {
                    scheduler.suspend();
                  }
                })
            .daemon();
    scheduler.scheduleTask(holder);
    return lock.map(held -> {
      held.close();
      return "locked";
    });
  }

  @Override
  protected final Kind kind() {
    return Kind.LASTING;
  }

  @Override
  protected final String happen() {
    scheduler.scheduleTask(holder);
    return "locked";
  }

  @Override
  protected final int registered() {
    return lock.waiterCount();
  }
}
