package dev.rondo.netty;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ManualIoEventLoop;
import io.netty.util.concurrent.Ticker;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Netty's event loop on the scheduler's thread, with the scheduler's time.
///
/// Confined to that thread, except where Netty allows any.
class NettyLoop extends ManualIoEventLoop {

  /// No timer is armed.
  static final long NO_DEADLINE = -1;

  /// Any thread sets this before it wakes the loop, because Netty's epoll forgets a wakeup that
  /// comes between the decision to block and the wait.
  private volatile boolean woken;

  /// Whether the loop blocks without a limit, though Netty may have a timer.
  private boolean untilWoken;

  /// @param parent the group that channels are registered with
  /// @param owner the scheduler's thread; null if it is set later
  /// @param clock the scheduler's
  NettyLoop(
      IoEventLoopGroup parent,
      @Nullable Thread owner,
      IoHandlerFactory handlers,
      com.google.common.base.Ticker clock) {
    super(parent, owner, handlers, new SchedulerTicker(clock, clock.read()));
  }

  /// Netty's time is the scheduler's. It begins with zero, because Netty takes a negative instant
  /// for an overflow.
  private record SchedulerTicker(com.google.common.base.Ticker clock, long startNanos)
      implements Ticker {

    @Override
    public long initialNanoTime() {
      return startNanos;
    }

    @Override
    public long nanoTime() {
      return clock.read() - startNanos;
    }

    @Override
    public void sleep(long delay, TimeUnit unit) {
      throw new UnsupportedOperationException("the loop's thread must not sleep; schedule a task");
    }
  }

  /// Ends the current wait, or the next one if there is none. Any thread.
  void wake() {
    woken = true;
    wakeup();
  }

  boolean isWoken() {
    return woken;
  }

  /// The wakeup has had its effect.
  void clearWakeup() {
    woken = false;
  }

  /// Blocks until an event or a wakeup, and handles what there is. Netty's timers do not end it.
  void runUntilWoken() {
    untilWoken = true;
    try {
      var _ = run(0);
    } finally {
      untilWoken = false;
    }
  }

  @Override
  protected boolean canBlock() {
    return !woken;
  }

  /// In the scheduler's time. Netty's own method uses the system's clock.
  @Override
  protected long delayNanos(long currentTimeNanos, long longestNanos) {
    long next = nextScheduledTaskDeadlineNanos();
    return untilWoken || next == NO_DEADLINE
        ? longestNanos
        : Math.max(0, next - ticker().nanoTime());
  }

  /// {@return the instant of the earliest timer of Netty's; NO_DEADLINE if there is none}
  long deadlineNanos() {
    return nextScheduledTaskDeadlineNanos();
  }

  /// {@return that instant on the scheduler's ticker}
  long onSchedulersTicker(long deadlineNanos) {
    return deadlineNanos + ticker().initialNanoTime();
  }
}
