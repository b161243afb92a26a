package dev.rondo.time;

import dev.rondo.scheduler.internal.ReportText;

/// The state of a [Timer] that ticks repeatedly.
final class PeriodicTicks extends Ticks {

  /// The name of the tasks that run the action.
  final String name;

  private final TickPolicy policy;

  /// Zero or more.
  long periodNanos;

  long missed;

  /// When the current tick was due, and when its action began.
  private long dueNanos;

  private long begunNanos;

  /// @param periodNanos zero or more
  PeriodicTicks(TickPolicy policy, long periodNanos) {
    this.name = "periodic " + ReportText.nanos(periodNanos);
    this.policy = policy;
    this.periodNanos = periodNanos;
  }

  @Override
  void due(long nanos) {
    dueNanos = nanos;
  }

  @Override
  void begin(long nowNanos) {
    begunNanos = nowNanos;
  }

  /// Returns when the next tick is due after an action that ends now; counts the skipped ticks.
  long followingNanos(long nowNanos) {
    if (periodNanos == 0) {
      return nowNanos;
    }
    return switch (policy) {
      case SKIP -> firstFrom(dueNanos + periodNanos, nowNanos);
      case BURST -> dueNanos + periodNanos;
      case DELAY -> afterDelay(nowNanos);
      case FIXED_DELAY -> nowNanos + periodNanos;
    };
  }

  /// The first tick of the phase that has not passed yet.
  private long firstFrom(long next, long nowNanos) {
    long late = nowNanos - next;
    if (late <= 0) {
      return next;
    }
    long skipped = Math.ceilDiv(late, periodNanos);
    missed += skipped;
    return next + skipped * periodNanos;
  }

  private long afterDelay(long nowNanos) {
    long lost = (begunNanos - dueNanos) / periodNanos;
    missed += lost;
    long next = (lost == 0 ? dueNanos : begunNanos) + periodNanos;
    long late = nowNanos - next;
    if (late <= 0) {
      return next;
    }
    missed += late / periodNanos;
    return nowNanos;
  }
}
