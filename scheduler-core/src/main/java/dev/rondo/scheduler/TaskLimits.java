package dev.rondo.scheduler;

import java.time.Duration;

/// How much a task may use before it is made to fail with [TaskLimitExceededException]. Immutable.
///
/// What a task has used is looked at after each of its turns, so a turn that never ends exceeds no
/// limits: that is what [SchedulerBuilder#watchdog] finds.
public final class TaskLimits {

  private static final long UNLIMITED = Long.MAX_VALUE;
  private static final TaskLimits NONE = new TaskLimits(UNLIMITED, UNLIMITED, UNLIMITED);

  private final long turns;
  private final long runNanos;
  private final long allocatedBytes;

  private TaskLimits(long turns, long runNanos, long allocatedBytes) {
    this.turns = turns;
    this.runNanos = runNanos;
    this.allocatedBytes = allocatedBytes;
  }

  /// {@return a limits that limits nothing}
  public static TaskLimits unlimited() {
    return NONE;
  }

  /// {@return this limits with a limit on turns}
  ///
  /// @param most at least 1; the task fails when it has had more
  /// @throws IllegalArgumentException if it is less
  public TaskLimits turns(long most) {
    return new TaskLimits(positive("turns", most), runNanos, allocatedBytes);
  }

  /// {@return this limits with a limit on the time that the task's turns take together, on the
  /// scheduler's ticker}
  ///
  /// @param most at least zero; the task fails when it has taken more
  /// @throws IllegalArgumentException if it is negative
  public TaskLimits runTime(Duration most) {
    return new TaskLimits(turns, Durations.nanos(most, "most"), allocatedBytes);
  }

  /// {@return this limits with a limit on what the task allocates on the heap, garbage included} On
  /// the HANDOFF backend that cannot be measured.
  ///
  /// @param most in bytes, at least 1; the task fails when it has allocated more
  /// @throws IllegalArgumentException if it is less
  public TaskLimits allocatedBytes(long most) {
    return new TaskLimits(turns, runNanos, positive("allocatedBytes", most));
  }

  private static long positive(String name, long most) {
    if (most < 1) {
      throw new IllegalArgumentException(
          name + "=" + most + ", must be at least 1; to limit nothing leave it out");
    }
    return most;
  }

  boolean limitsAllocation() {
    return allocatedBytes != UNLIMITED;
  }

  /// Whether an account is above one of the limits.
  boolean isExceededBy(TaskMeter account) {
    return account.turns > turns
        || account.runNanos > runNanos
        || account.allocatedBytes > allocatedBytes;
  }

  /// What an account that exceeds this has used too much of.
  String excess(TaskMeter account) {
    if (account.turns > turns) {
      return "turns=%d, allowed %d".formatted(account.turns, turns);
    }
    if (account.runNanos > runNanos) {
      return "runTime=%s, allowed %s"
          .formatted(
              Durations.readable(Duration.ofNanos(account.runNanos)),
              Durations.readable(Duration.ofNanos(runNanos)));
    }
    return "allocatedBytes=%d, allowed %d".formatted(account.allocatedBytes, allocatedBytes);
  }

  /// Its limits.
  @Override
  public String toString() {
    return "limits(turns=%s, runTime=%s, allocatedBytes=%s)"
        .formatted(
            limit(turns),
            runNanos == UNLIMITED ? "unlimited" : Durations.readable(Duration.ofNanos(runNanos)),
            limit(allocatedBytes));
  }

  private static String limit(long most) {
    return most == UNLIMITED ? "unlimited" : Long.toString(most);
  }
}
