package dev.rondo.time;

import dev.rondo.scheduler.Task;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The state of a [Timer] that ticks repeatedly or has begun to tick. It is an object of its own so
/// that a delay that is armed and then cancelled does not pay for it.
final class Ticks {

  /// Stands for the period of a timer that has none.
  static final long ONCE = -1;

  final TickPolicy policy;
  final String name;

  /// Zero or more, or [#ONCE].
  long periodNanos;

  /// The task that runs the action; null if there is none.
  @Nullable Task<Void> task;

  long fired;
  long missed;

  /// When the current tick was due, and when its action began.
  long dueNanos;

  private long begunNanos;

  /// While the action runs: whether another tick is to come.
  boolean goesOn;

  /// While the action runs: whether a restart has fixed the instant of that tick, and which.
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
