package dev.rondo.time;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.observe.DumpFormat;
import dev.rondo.scheduler.observe.ReportText;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// The jumps of a [VirtualClock] that lead to no timer and no event, but only to another look at
/// predicates that are polled. After enough of them nothing will come true any more.
///
/// Confined to the scheduler's thread.
final class IdleJumps {

  /// So many jumps before the real time is looked at, a power of 2: 11 min of virtual time.
  static final int FEWEST = 1 << 16;

  private final Duration patience;

  private long count;
  private long lastNanos;
  private long begunNanos;
  private long begunRealNanos;

  /// @param patience in real time
  IdleJumps(Duration patience) {
    this.patience = patience;
  }

  /// The clock is about to jump. Polls come less and less often until a task has had a turn: so a
  /// shorter jump says that something has happened.
  ///
  /// @throws DeadlockException if there have been many for long
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

  /// Something else happens.
  void end() {
    count = 0;
  }

  private DeadlockException deadlock(Duration passed, Scheduler scheduler) {
    var text = new StringBuilder("deadlock: in ");
    text.append(ReportText.duration(passed))
        .append(
            " of virtual time nothing happened but that predicates were polled, and none became"
                + " true. No task is ready, no timer is armed, and no event can come: only another"
                + " thread could change what they read: wait for one with completion(..) or"
                + " blocking(..), or say with keepAlive() that it will\n");
    try {
      scheduler.dump(DumpFormat.TEXT, text, patience);
    } catch (IOException e) {
      text.append("no dump: ").append(e);
    }
    return new DeadlockException(text.toString(), List.of(), List.of());
  }
}
