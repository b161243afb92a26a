package dev.rondo.time;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.LoopView;
import java.time.Duration;
import java.util.List;

/// Counts the jumps of a [VirtualClock] that reach no timer and no event, but only another poll of
/// predicates. After many such jumps, no predicate can be expected to become true.
///
/// Confined to the scheduler's thread.
final class IdleJumps {

  /// The number of jumps before the real time is checked, a power of 2: 11 min of virtual time.
  static final int FEWEST = 1 << 16;

  private final Duration patience;

  private long count;
  private long lastNanos;
  private long begunNanos;
  private long begunRealNanos;

  /// @param patience the real time after which such jumps are a deadlock
  IdleJumps(Duration patience) {
    this.patience = patience;
  }

  /// Called when the clock is about to jump. The time between polls grows until a task has had a
  /// turn, so a shorter jump shows that a task has run.
  ///
  /// @throws DeadlockException if many such jumps have taken longer than the patience
  void add(long nowNanos, long deadlineNanos, Scheduler scheduler) {
    long nanos = deadlineNanos - nowNanos;
    if (nanos < lastNanos || count == 0) {
      count = 0;
      begunNanos = nowNanos;
      begunRealNanos = System.nanoTime();
    }
    lastNanos = nanos;
    count++;
    if (count % FEWEST == 0 && System.nanoTime() - begunRealNanos >= patience.toNanos()) {
      count = 0;
      throw deadlock(Duration.ofNanos(nowNanos - begunNanos), scheduler);
    }
  }

  /// Called when a jump reaches a timer or an event.
  void end() {
    count = 0;
  }

  private DeadlockException deadlock(Duration passed, Scheduler scheduler) {
    var text = new StringBuilder("deadlock: in ");
    text.append(ReportText.duration(passed))
        .append(
            " of virtual time nothing happened but polling of predicates, and none became"
                + " true. No task is ready, no timer is armed, and no event can come. Only another"
                + " thread could change what they read: wait for it with completion(..) or"
                + " blocking(..), or declare it with keepAlive()\n");
    LoopView.of(scheduler).addOns().forEach(each -> text.append(each).append('\n'));
    scheduler.tasks().forEach(each -> text.append(each).append('\n'));
    return new DeadlockException(text.toString(), List.of(), List.of());
  }
}
