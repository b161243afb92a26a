package dev.rondo.benchmarks.calls;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.IdleStrategy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// A clock that moves only while its scheduler waits, so that the loop always takes the same path.
/// Its own calls do not count, unlike those of a `VirtualClock`.
final class SteppedClock extends Ticker implements IdleStrategy {

  private final AtomicLong now = new AtomicLong();

  /// {@return a scheduler that waits in this clock, which then moves to the next deadline}
  Scheduler scheduler() {
    Scheduler scheduler = timedScheduler();
    scheduler.host().idleStrategy(this);
    return scheduler;
  }

  /// {@return a scheduler that uses the time of this clock and waits elsewhere}
  Scheduler timedScheduler() {
    return Scheduler.builder().ticker(this).build();
  }

  /// Advances the clock. Any thread.
  void advance(Duration duration) {
    now.addAndGet(duration.toNanos());
  }

  @Override
  public long read() {
    return now.get();
  }

  @Override
  public void idleUntil(long deadlineNanos) {
    now.set(deadlineNanos);
  }

  /// Does nothing: no event comes from outside.
  @Override
  public void idle() {
    throw new IllegalStateException("nothing will ever wake this scheduler");
  }

  @Override
  public void wakeup() {}
}
