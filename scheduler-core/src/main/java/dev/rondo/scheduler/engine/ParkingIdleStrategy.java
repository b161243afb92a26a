package dev.rondo.scheduler.engine;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.addon.IdleStrategy;
import java.util.concurrent.locks.LockSupport;

/// Parks the loop's thread: the idler of a scheduler that has no other.
final class ParkingIdleStrategy implements IdleStrategy {

  private final Thread thread;
  private final Ticker ticker;

  ParkingIdleStrategy(Thread thread, Ticker ticker) {
    this.thread = thread;
    this.ticker = ticker;
  }

  @Override
  public void idleUntil(long deadlineNanos) {
    LockSupport.parkNanos(this, deadlineNanos - ticker.read());
  }

  @Override
  public void idle() {
    LockSupport.park(this);
  }

  @Override
  public void wakeup() {
    LockSupport.unpark(thread);
  }
}
