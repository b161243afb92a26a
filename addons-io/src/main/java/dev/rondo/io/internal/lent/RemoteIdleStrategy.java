package dev.rondo.io.internal.lent;

import static java.util.Objects.requireNonNull;

import dev.rondo.io.internal.channel.SelectorIdleStrategy;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.IdleStrategy;

/// Waits for IO and time on another thread than the scheduler's. For an [IdleStrategy] that lends
/// the scheduler's thread to other code, such as the event loop of a user interface.
///
/// The threads take turns. The scheduler's thread calls [#lend()], which polls without blocking. If
/// the poll finds nothing, `lend` returns true, and the scheduler's thread makes the other thread
/// call [#idle()] or [#idleUntil(long)]. After that has returned, and not before, the scheduler's
/// thread calls [#takeBack()] and goes on. Each hand-over must publish the earlier writes of the
/// thread that hands over.
///
/// Meanwhile code on the scheduler's thread may use channels as usual, and does not block. One
/// exception: if a program closes its own channel directly, the add-on notices when the scheduler
/// goes on.
public final class RemoteIdleStrategy {

  private static final long FOR_EVER = Long.MAX_VALUE;

  private final Scheduler scheduler;
  private final SelectorIdleStrategy idleStrategy;

  private RemoteIdleStrategy(Scheduler scheduler, SelectorIdleStrategy idleStrategy) {
    this.scheduler = scheduler;
    this.idleStrategy = idleStrategy;
  }

  /// Creates a strategy by which another thread waits for a scheduler. Never a suspension point.
  ///
  /// @param scheduler on its own thread; has the IO add-on
  /// @throws NullPointerException if it has none
  public RemoteIdleStrategy(Scheduler scheduler) {
    this(
        scheduler,
        requireNonNull(LoopAccess.of(scheduler), "no IO add-on is installed").idleStrategy());
  }

  /// Polls, and hands the wait to the other thread if no task is ready. On the scheduler's thread.
  ///
  /// @return whether the other thread must wait now; if not, tasks are ready
  public boolean lend() {
    return idleStrategy.lend();
  }

  /// Waits until an awaited channel is ready, or until [#wakeup()]. On the other thread.
  public void idle() {
    idleStrategy.blockElsewhere(FOR_EVER);
  }

  /// Waits until an instant, or up to a millisecond longer, until an awaited channel is ready, or
  /// until [#wakeup()]. On the other thread.
  ///
  /// @param deadlineNanos an instant of the scheduler's ticker, which any thread must be able to
  ///   read
  public void idleUntil(long deadlineNanos) {
    idleStrategy.blockElsewhere(deadlineNanos - scheduler.host().nowNanos());
  }

  /// Ends the current wait, or the next one if there is none. Any thread.
  public void wakeup() {
    idleStrategy.wakeup();
  }

  /// The wait on the other thread is over. On the scheduler's thread.
  public void takeBack() {
    idleStrategy.takeBack();
  }
}
