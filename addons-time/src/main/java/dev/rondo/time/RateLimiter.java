package dev.rondo.time;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import java.time.Duration;

/// Lets so much through per time, first come first served: a token bucket.
///
/// It holds at most `permits` permits, and is full at first; they come back evenly, one every
/// `period / permits`, exactly: nothing is lost to rounding, however odd the ratio. To wait for a
/// permit is to await it: `scheduler.await(limiter)`, alone or in a select, whose loser takes none.
///
/// The bucket counts in fractions of a permit that are whole numbers (J. Turner, *New directions in
/// communications*, 1986, calls it a leaky bucket). Confined to the scheduler's thread.
public final class RateLimiter implements Waitable<Void> {

  private final WaitForTime time;
  private final long permits;

  /// What a permit costs. A nanosecond earns as many as there are permits in a period.
  private final long costOfOne;

  private final long capacity;

  private final WaitQueue<Void> waiting = new WaitQueue<>();
  private final Next next = new Next();
  private long credit;

  /// The instant that the credit is as of.
  private long countedNanos;

  /// A limiter that is full.
  ///
  /// @param scheduler whose tasks it limits
  /// @param permits how many in a period, and at once; at least one
  /// @param period above zero
  /// @return the rate limiter
  /// @throws IllegalArgumentException if there is no permit, or no period, or their product is
  ///   above 2^63 nanoseconds
  public static RateLimiter create(Scheduler scheduler, int permits, Duration period) {
    return new RateLimiter(WaitForTime.on(scheduler), permits, period);
  }

  private RateLimiter(WaitForTime time, int permits, Duration period) {
    if (permits < 1) {
      throw new IllegalArgumentException("permits must be at least 1, but is " + permits);
    }
    long periodNanos = WaitForTime.nanos(period, "period");
    if (periodNanos == 0 || periodNanos > Long.MAX_VALUE / permits) {
      throw new IllegalArgumentException(
          "period must be above zero, and period * permits at most 2^63 ns, but period is %s and permits is %d"
              .formatted(period, permits));
    }
    this.time = time;
    this.permits = permits;
    this.costOfOne = periodNanos;
    this.capacity = periodNanos * permits;
    this.credit = capacity;
    this.countedNanos = time.nowNanos();
  }

  /// Waits for a permit and takes it. A *possible* suspension point: none if there is one and
  /// nobody else waits.
  ///
  /// @throws IllegalStateException outside a stackful task of the scheduler
  public void acquire() {
    scheduler().await(this);
  }

  /// Takes a permit if there is one and nobody else waits for it. Never a suspension point.
  ///
  /// @return whether it did
  public boolean tryAcquire() {
    scheduler().host().checkThread();
    return waiting.isEmpty() && take();
  }

  /// {@return how many permits there are at this moment}
  public int available() {
    scheduler().host().checkThread();
    count();
    return (int) (credit / costOfOne);
  }

  /// {@return how many wait for one}
  public int waiting() {
    scheduler().host().checkThread();
    return waiting.size();
  }

  private boolean take() {
    count();
    if (credit < costOfOne) {
      return false;
    }
    credit -= costOfOne;
    return true;
  }

  private void giveBack() {
    credit += costOfOne;
  }

  private void count() {
    long now = time.nowNanos();
    long elapsed = now - countedNanos;
    countedNanos = now;
    long missing = capacity - credit;
    credit = elapsed >= Math.ceilDiv(missing, permits) ? capacity : credit + elapsed * permits;
  }

  // As a Waitable.

  @Override
  public boolean poll(Waiter<? super Void> waiter) {
    return waiting.isEmpty() && take() && (fire(waiter) || refused());
  }

  @SuppressWarnings("NullAway") // the only value of type Void
  private static boolean fire(Waiter<? super Void> waiter) {
    return waiter.fire(null);
  }

  private boolean refused() {
    giveBack();
    return false;
  }

  @Override
  public void arm(Waiter<? super Void> waiter) {
    waiting.add(waiter);
    if (!next.isArmed()) {
      serve();
    }
  }

  @Override
  public void disarm(Waiter<? super Void> waiter) {
    if (waiting.remove(waiter) && waiting.isEmpty()) {
      var _ = time.alarms().disarm(next);
    }
  }

  /// Gives permits to those who wait, and arms the timer for the next one.
  @SuppressWarnings("NullAway") // the only value of type Void
  private void serve() {
    while (!waiting.isEmpty() && take()) {
      if (!waiting.fireFirst(null)) {
        giveBack();
      }
    }
    if (!waiting.isEmpty() && !next.isArmed()) {
      time.alarms().arm(next, countedNanos + Math.ceilDiv(costOfOne - credit, permits));
    }
  }

  /// The instant of the next permit, while somebody waits for it.
  private final class Next extends TimerEntry {
    @Override
    void fire() {
      serve();
    }
  }

  private Scheduler scheduler() {
    return time.scheduler();
  }

  @Override
  public String toString() {
    return "a permit of the limiter of %d in %s".formatted(permits, Duration.ofNanos(costOfOne));
  }
}
