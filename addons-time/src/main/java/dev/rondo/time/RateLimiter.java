package dev.rondo.time;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;

/// Limits the number of operations that start in a period, first come first served: a token bucket.
///
/// A limiter holds at most `permits` permits, and is full at first. Permits come back evenly, one
/// every `period / permits`, without rounding errors. As a `Waitable`, a limiter stands for one
/// permit, to await with a time limit or in a select. A branch that does not win takes none.
///
/// The bucket counts in whole fractions of a permit (J. Turner, *New directions in communications*,
/// 1986, calls it a leaky bucket). Confined to the scheduler's thread.
public final class RateLimiter implements Waitable<Void> {

  private final WaitForTime time;
  private final long permits;

  /// The credit that a permit costs. A nanosecond earns as much credit as a period has permits.
  private final long costOfOne;

  private final long capacity;

  private final WaitQueue<Void> waiting = new WaitQueue<>();
  private final Next next = new Next();
  private long credit;

  /// The instant at which the credit was last counted.
  private long countedNanos;

  /// Makes a limiter that is full.
  ///
  /// @param scheduler whose tasks it limits
  /// @param permits the number of permits in a period, which can also be taken at once; at least
  ///   one
  /// @param period above zero
  /// @throws IllegalArgumentException if a value is out of range, or their product is above 2^63
  ///   nanoseconds
  public RateLimiter(Scheduler scheduler, int permits, Duration period) {
    this(WaitForTime.on(scheduler), permits, period);
  }

  private RateLimiter(WaitForTime time, int permits, Duration period) {
    if (permits < 1) {
      throw new IllegalArgumentException("permits must be at least 1, but is " + permits);
    }
    long periodNanos = WaitForTime.nanos(period, "period");
    if (periodNanos == 0 || periodNanos > Long.MAX_VALUE / permits) {
      throw new IllegalArgumentException(
          "period must be above zero, and period * permits at most 2^63 ns, but period is %s and permits is %d"
              .formatted(ReportText.duration(period), permits));
    }
    this.time = time;
    this.permits = permits;
    this.costOfOne = periodNanos;
    this.capacity = periodNanos * permits;
    this.credit = capacity;
    this.countedNanos = time.nowNanos();
  }

  /// Takes a permit, waiting for it if necessary. A *possible* suspension point: none if there is a
  /// permit and no other task waits.
  ///
  /// @throws IllegalStateException outside a stackful task of the scheduler
  public void acquire() {
    scheduler().host().awaitEvent(this);
  }

  /// Takes a permit if there is one and no other task waits for it. Never a suspension point.
  ///
  /// @return whether it took one
  public boolean tryAcquire() {
    scheduler().host().checkThread();
    return waiting.isEmpty() && take();
  }

  /// {@return the number of permits available now}
  int available() {
    scheduler().host().checkThread();
    count();
    return (int) (credit / costOfOne);
  }

  /// {@return the number of tasks that wait for a permit}
  int waiterCount() {
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

  /// Gives permits to the waiting tasks, and arms the timer for the next permit.
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

  /// The instant of the next permit, while a task waits for it.
  private final class Next extends TimerEntry {
    @Override
    void fire() {
      serve();
    }

    @Override
    String describe() {
      return RateLimiter.this.toString();
    }
  }

  @Override
  public Scheduler scheduler() {
    return time.scheduler();
  }

  @Override
  public String toString() {
    return "a permit of the limiter of %d in %s".formatted(permits, ReportText.nanos(costOfOne));
  }
}
