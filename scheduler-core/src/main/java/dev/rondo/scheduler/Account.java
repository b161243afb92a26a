package dev.rondo.scheduler;

import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// What one task has used so far. Confined to the scheduler's thread.
final class Account {

  Quota quota;
  long turns;
  long runNanos;
  long longestTurnNanos;
  long allocatedBytes;

  /// Whether `allocatedBytes` can be measured.
  final boolean knowsAllocation;

  /// When the first turn after its last wait began.
  private long wokenNanos;

  private boolean wasWoken;

  /// Whether its last turn left it out of circulation.
  boolean away;

  Account(Quota quota, boolean knowsAllocation) {
    this.quota = quota;
    this.knowsAllocation = knowsAllocation;
  }

  void turnBegins(long nowNanos) {
    if (away) {
      away = false;
      wasWoken = true;
      wokenNanos = nowNanos;
    }
  }

  void turnEnded(long nanos, long bytes) {
    turns++;
    runNanos += nanos;
    longestTurnNanos = Math.max(longestTurnNanos, nanos);
    allocatedBytes += bytes;
  }

  TaskLedger ledger(long nowNanos) {
    @Nullable Duration sinceWoken =
        wasWoken ? Duration.ofNanos(Math.max(0, nowNanos - wokenNanos)) : null;
    return new TaskLedger(
        turns,
        Duration.ofNanos(runNanos),
        Duration.ofNanos(longestTurnNanos),
        knowsAllocation ? OptionalLong.of(allocatedBytes) : OptionalLong.empty(),
        sinceWoken);
  }
}
