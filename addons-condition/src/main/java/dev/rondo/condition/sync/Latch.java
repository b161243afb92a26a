package dev.rondo.condition.sync;

import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waiter;

/// A count that tasks wait for until it is zero. The latch opens once, for all tasks and for good.
///
/// As a `Waitable`, a latch results in itself. Opening takes constant time, however many tasks
/// wait; they run in the order they began to wait.
///
/// Confined to the scheduler's thread. The `await` methods are suspension points, the others are
/// not.
public final class Latch extends Synchronizer<Latch> {

  private int count;

  /// Makes a latch, open if the count is zero. Never a suspension point.
  ///
  /// @param scheduler whose tasks wait
  /// @param name shown in reports
  /// @param count the number of count-downs until the latch opens, at least zero
  /// @throws IllegalArgumentException if it is negative
  public Latch(Scheduler scheduler, String name, int count) {
    super(scheduler, "latch", name);
    if (count < 0) {
      throw new IllegalArgumentException(
          "%s needs a count of at least 0, count=%d".formatted(this, count));
    }
    this.count = count;
  }

  /// Counts down by one, and opens the latch at zero; does nothing if it is open. Never a
  /// suspension point.
  ///
  /// @return whether this call opened the latch
  public boolean countDown() {
    scheduler.host().checkThread();
    if (count == 0 || --count > 0) {
      return false;
    }
    var _ = waiters.fireAll(this);
    return true;
  }

  /// {@return the remaining count}
  public int count() {
    scheduler.host().checkThread();
    return count;
  }

  /// Waits until the latch is open. *Always* a suspension point.
  ///
  /// @throws IllegalStateException outside a stackful task
  /// @throws ScheduledDirectlyException if the task is scheduled meanwhile
  /// @throws TaskCancelled if the task is cancelled; it no longer waits
  public void await() {
    var _ = awaitThis();
  }

  @Override
  public boolean poll(Waiter<? super Latch> waiter) {
    scheduler.host().checkThread();
    return count == 0 && waiter.fire(this);
  }

  /// False: an open latch is observed, not taken, so a wait gives way at least once.
  @Override
  public boolean isEager() {
    return false;
  }
}
