package dev.rondo.time;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.observe.ReportText;
import org.jspecify.annotations.Nullable;

/// The state of a [Timer] that ticks repeatedly, has begun to tick, or is awaited. It is an object
/// of its own so that a delay that is armed and then cancelled does not pay for it.
final class Ticks {

  /// Stands for the period of a timer that has none.
  static final long ONCE = -1;

  final TickPolicy policy;
  final String name;

  /// Zero or more, or [#ONCE].
  long periodNanos;

  /// The task that runs the action; null if there is none.
  @Nullable Task<@Nullable Void> task;

  /// The body of these tasks; null before the first.
  Timer.@Nullable Tick body;

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

  /// How the last action since the timer was started ended; null if none has.
  @Nullable Outcome<@Nullable Void> last;

  /// The tasks that wait for the end of the timer; null if none ever has.
  @Nullable WaitQueue<@Nullable Void> joiners;

  /// @param periodNanos zero or more
  Ticks(TickPolicy policy, long periodNanos) {
    this(policy, periodNanos, "periodic " + ReportText.nanos(periodNanos));
  }

  private Ticks(TickPolicy policy, long periodNanos, String name) {
    this.policy = policy;
    this.periodNanos = periodNanos;
    this.name = name;
  }

  /// The same of a timer that ticks once.
  ///
  /// @param name of the task that runs the action
  static Ticks once(String name) {
    return new Ticks(TickPolicy.SKIP, ONCE, name);
  }

  void begin(long nowNanos) {
    fired++;
    begunNanos = nowNanos;
    goesOn = periodNanos != ONCE;
    restarted = false;
  }

  boolean isJoined() {
    return joiners != null && !joiners.isEmpty();
  }

  void join(Waiter<? super @Nullable Void> waiter) {
    if (joiners == null) {
      joiners = new WaitQueue<>();
    }
    joiners.add(waiter);
  }

  void leave(Waiter<? super @Nullable Void> waiter) {
    if (joiners != null) {
      var _ = joiners.remove(waiter);
    }
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
