package dev.rondo.time;

import dev.rondo.scheduler.Task;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The books of a [Timer] that has begun to tick, or is going to more than once: apart from it, so
/// that a delay which is armed and cancelled does not pay for them.
final class Ticks {

  /// Stands for the period of a timer that has none.
  static final long ONCE = -1;

  final TickPolicy policy;
  final String name;

  /// Zero or more, or [#ONCE].
  long periodNanos;

  /// What runs the action: null when none is about to.
  @Nullable Task<Void> task;

  long fired;
  long missed;

  /// When the current tick was due, and when its action was begun.
  long dueNanos;

  private long begunNanos;

  /// While the action is under way: whether a tick is to come.
  boolean goesOn;

  /// While the action is under way: whether that tick was asked for, at this instant.
  boolean restarted;

  long restartNanos;

  Ticks(TickPolicy policy, long periodNanos, long delayNanos) {
    this.policy = policy;
    this.periodNanos = periodNanos;
    this.name =
        periodNanos == ONCE
            ? "delay " + Duration.ofNanos(delayNanos)
            : "periodic " + Duration.ofNanos(periodNanos);
  }

  void begin(long nowNanos) {
    fired++;
    begunNanos = nowNanos;
    goesOn = periodNanos != ONCE;
    restarted = false;
  }

  /// When the next tick is due, after an action that has ended now; counts those that it skips.
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

  /// The first tick of a phase that has not passed.
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
