package dev.rondo.io;

import dev.rondo.io.internal.channel.SelectorIdleStrategy;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.IdleStrategy;

/// Waits for IO and time on another thread than the scheduler's: for an [IdleStrategy] that lends
/// that thread to others, as under the event loop of a user interface.
///
/// It goes in turns. The scheduler's thread calls [#lend()], which looks at every channel without
/// blocking. If nothing is there it answers true, and has the other thread call [#idle()] or
/// [#idleUntil(long)]. When that has returned, and only then, the scheduler's thread calls
/// [#takeBack()] and goes on. Whoever hands over to the other does so in a way that publishes what
/// it wrote.
///
/// Meanwhile code on the scheduler's thread may use channels as ever; what it does never blocks.
/// One exception: a channel of one's own that is closed behind the add-on's back is noticed when
/// the scheduler goes on.
public final class RemoteIdleStrategy {

  private static final long FOR_EVER = Long.MAX_VALUE;

  private final Scheduler scheduler;
  private final SelectorIdleStrategy idleStrategy;

  private RemoteIdleStrategy(Scheduler scheduler, SelectorIdleStrategy idleStrategy) {
    this.scheduler = scheduler;
    this.idleStrategy = idleStrategy;
  }

  /// {@return how another thread waits for a scheduler} Installs the IO add-on if the scheduler has
  /// none. Never a suspension point.
  ///
  /// @param scheduler on its own thread
  public static RemoteIdleStrategy create(Scheduler scheduler) {
    return new RemoteIdleStrategy(scheduler, WaitForIO.on(scheduler).reactor().idleStrategy());
  }

  /// Looks whether there is something to do, and if not leaves the wait to the other thread. On the
  /// scheduler's thread.
  ///
  /// @return whether the other thread is to wait now; if not, tasks are ready
  public boolean lend() {
    return idleStrategy.lend();
  }

  /// Waits until a channel is ready that somebody waits for, or until [#wakeup()]. On the other
  /// thread.
  public void idle() {
    idleStrategy.blockElsewhere(FOR_EVER);
  }

  /// Waits until the instant, and up to a millisecond longer, until a channel is ready that
  /// somebody waits for, or until [#wakeup()]. On the other thread.
  ///
  /// @param deadlineNanos an instant of the scheduler's ticker, which has to be one for any thread
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
