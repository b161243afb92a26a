package dev.rondo.scheduler;

import java.time.Duration;
import java.util.OptionalLong;

/// What one task has used so far. Confined to the scheduler's thread.
final class Account {

  Quota quota;
  long turns;
  long runNanos;
  long longestTurnNanos;
  long allocatedBytes;

  /// Whether `allocatedBytes` can be measured.
  final boolean knowsAllocation;

  Account(Quota quota, boolean knowsAllocation) {
    this.quota = quota;
    this.knowsAllocation = knowsAllocation;
  }

  void turnEnded(long nanos, long bytes) {
    turns++;
    runNanos += nanos;
    longestTurnNanos = Math.max(longestTurnNanos, nanos);
    allocatedBytes += bytes;
  }

  TaskLedger ledger() {
    return new TaskLedger(
        turns,
        Duration.ofNanos(runNanos),
        Duration.ofNanos(longestTurnNanos),
        knowsAllocation ? OptionalLong.of(allocatedBytes) : OptionalLong.empty());
  }
}
