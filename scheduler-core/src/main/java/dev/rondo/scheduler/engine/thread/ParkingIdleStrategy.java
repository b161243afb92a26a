package dev.rondo.scheduler.engine.thread;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.addon.EventSource;
import dev.rondo.scheduler.addon.IdleStrategy;
import dev.rondo.scheduler.internal.rooms.LendableEventSource;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The default idle strategy: blocks in the sources of events that have joined, or parks the loop's
/// thread if there are none.
public final class ParkingIdleStrategy implements IdleStrategy {

  private final Thread thread;
  private final Ticker ticker;

  /// Written by the scheduler's thread, read by any thread that wakes the loop.
  private volatile @Nullable EventSource events;

  /// Makes a strategy without sources.
  ///
  /// @param thread of the loop
  public ParkingIdleStrategy(Thread thread, Ticker ticker) {
    this.thread = thread;
    this.ticker = ticker;
  }

  @Override
  public boolean joins(EventSource source) {
    EventSource earlier = events;
    events = earlier == null ? source : LendableEventSource.both(earlier, source);
    return true;
  }

  @Override
  public void idleUntil(long deadlineNanos) {
    long nanos = deadlineNanos - ticker.read();
    EventSource source = events;
    if (source == null) {
      LockSupport.parkNanos(this, nanos);
    } else {
      source.sleep(nanos);
    }
  }

  @Override
  public void idle() {
    EventSource source = events;
    if (source == null) {
      LockSupport.park(this);
    } else {
      source.sleep(EventSource.FOREVER);
    }
  }

  @Override
  public void pass() {
    EventSource source = events;
    if (source != null) {
      source.pass();
    }
  }

  @Override
  public void wakeup() {
    EventSource source = events;
    if (source == null) {
      LockSupport.unpark(thread);
    } else {
      source.wakeup();
    }
  }
}
