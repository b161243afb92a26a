package dev.rondo.scheduler;

import java.time.Duration;
import java.util.OptionalLong;

/// What one task has used so far. Confined to the scheduler's thread.
final class TaskMeter {

  TaskLimits limits;
  long turns;
  long runNanos;
  long longestTurnNanos;
  long allocatedBytes;

  /// Whether `allocatedBytes` can be measured.
  final boolean knowsAllocation;

  TaskMeter(TaskLimits limits, boolean knowsAllocation) {
    this.limits = limits;
    this.knowsAllocation = knowsAllocation;
  }

  void turnEnded(long nanos, long bytes) {
    turns++;
    runNanos += nanos;
    longestTurnNanos = Math.max(longestTurnNanos, nanos);
    allocatedBytes += bytes;
  }

  TaskMetrics metrics() {
    return new TaskMetrics(
        turns,
        Duration.ofNanos(runNanos),
        Duration.ofNanos(longestTurnNanos),
        knowsAllocation ? OptionalLong.of(allocatedBytes) : OptionalLong.empty());
  }
}
