package dev.rondo.observe.internal;

import dev.rondo.observe.TaskLimits;
import dev.rondo.scheduler.addon.TaskMetrics;
import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Supplier;

/// Counts the resources that one task uses, and knows its limits. Confined to the scheduler's
/// thread.
final class TaskMeter implements Supplier<TaskMetrics> {

  /// Whether `allocatedBytes` can be measured.
  final boolean knowsAllocation;

  private long turns;
  private long runNanos;
  private long longestTurnNanos;
  private long allocatedBytes;

  private long mostTurns;
  private long mostRunNanos;
  private long mostAllocatedBytes;

  TaskMeter(TaskLimits limits, boolean knowsAllocation) {
    this.knowsAllocation = knowsAllocation;
    limit(limits);
  }

  /// Replaces the limits.
  void limit(TaskLimits limits) {
    mostTurns = limits.turns().orElse(Long.MAX_VALUE);
    mostRunNanos = limits.runTime().map(Duration::toNanos).orElse(Long.MAX_VALUE);
    mostAllocatedBytes = limits.allocatedBytes().orElse(Long.MAX_VALUE);
  }

  void turnEnded(long nanos, long bytes) {
    turns++;
    runNanos += nanos;
    longestTurnNanos = Math.max(longestTurnNanos, nanos);
    if (knowsAllocation) {
      allocatedBytes += bytes;
    }
  }

  boolean isOverLimit() {
    return turns > mostTurns || runNanos > mostRunNanos || allocatedBytes > mostAllocatedBytes;
  }

  /// {@return the limit that the task exceeds, with its use; called only if the task exceeds one}
  String excess() {
    if (turns > mostTurns) {
      return "turns=%d, allowed %d".formatted(turns, mostTurns);
    }
    if (runNanos > mostRunNanos) {
      return "runTime=%s, allowed %s".formatted(readable(runNanos), readable(mostRunNanos));
    }
    return "allocatedBytes=%d, allowed %d".formatted(allocatedBytes, mostAllocatedBytes);
  }

  private static String readable(long nanos) {
    return ReportText.duration(Duration.ofNanos(nanos));
  }

  /// {@return the task's use so far}
  @Override
  public TaskMetrics get() {
    return new TaskMetrics(
        turns,
        Duration.ofNanos(runNanos),
        Duration.ofNanos(longestTurnNanos),
        knowsAllocation ? OptionalLong.of(allocatedBytes) : OptionalLong.empty());
  }
}
