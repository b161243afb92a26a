package dev.rondo.condition.sync;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waiter;
import java.time.Duration;

/// Tasks wait until something has been counted down to zero. It opens once, for everybody and for
/// good.
///
/// As a `Waitable` it results in itself. Opening it takes the same time however many wait. They run
/// in the order they began to wait.
///
/// Confined to the scheduler's thread. [#await()] is a suspension point, nothing else is.
public final class Latch extends Synchronizer<Latch> {

  private int count;

  /// Never a suspension point.
  ///
  /// @param scheduler whose tasks wait
  /// @param name shown in reports
  /// @param count how often to count down, at least zero
  /// @return the latch
  /// @throws IllegalArgumentException if it is negative
  public static Latch create(Scheduler scheduler, String name, int count) {
    return new Latch(scheduler, name, count);
  }

  private Latch(Scheduler scheduler, String name, int count) {
    super(scheduler, "latch", name);
    if (count < 0) {
      throw new IllegalArgumentException(
          "%s needs a count of at least 0, count=%d".formatted(this, count));
    }
    this.count = count;
  }

  /// Counts down by one, and opens at zero; does nothing if it is open. Never a suspension point.
  ///
  /// @return whether this opened it
  public boolean countDown() {
    scheduler.host().checkThread();
    if (count == 0 || --count > 0) {
      return false;
    }
    var _ = waiters.fireAll(this);
    return true;
  }

  /// {@return what is left to count}
  public int count() {
    scheduler.host().checkThread();
    return count;
  }

  /// Waits until it is open. *Always* a suspension point.
  ///
  /// @throws IllegalStateException outside of a stackful task, or if the wait was ended by
  ///   `scheduleTask` before it was open
  /// @throws TaskCancelled if the task is cancelled; it does not wait any more
  public void await() {
    var _ = awaitThis();
    requireOpen();
  }

  /// [#await()] with a limit. *Always* a suspension point.
  ///
  /// @param timeout at least zero
  /// @throws dev.rondo.scheduler.TimedOutException if it was not open in time
  /// @throws IllegalArgumentException if the timeout is negative
  public void await(Duration timeout) {
    var _ = awaitThis(timeout);
    requireOpen();
  }

  private void requireOpen() {
    if (count > 0) {
      throw endedBySomebody();
    }
  }

  @Override
  public boolean poll(Waiter<? super Latch> waiter) {
    scheduler.host().checkThread();
    return count == 0 && waiter.fire(this);
  }

  /// False: it is a fact that one looks at, so a wait gives way at least once.
  @Override
  public boolean isEager() {
    return false;
  }
}
