package dev.rondo.scheduler;

import java.time.Duration;

/// How much a task may use before it is made to fail with [QuotaExceededException]. Immutable.
///
/// What a task has used is looked at after each of its turns, so a turn that never ends exceeds no
/// quota: that is what [SchedulerBuilder#watchdog] finds.
public final class Quota {

  private static final long UNLIMITED = Long.MAX_VALUE;
  private static final Quota NONE = new Quota(UNLIMITED, UNLIMITED, UNLIMITED);

  private final long turns;
  private final long runNanos;
  private final long allocatedBytes;

  private Quota(long turns, long runNanos, long allocatedBytes) {
    this.turns = turns;
    this.runNanos = runNanos;
    this.allocatedBytes = allocatedBytes;
  }

  /// {@return a quota that limits nothing}
  public static Quota unlimited() {
    return NONE;
  }

  /// {@return this quota with a limit on turns}
  ///
  /// @param most at least 1; the task fails when it has had more
  /// @throws IllegalArgumentException if it is less
  public Quota turns(long most) {
    return new Quota(positive("turns", most), runNanos, allocatedBytes);
  }

  /// {@return this quota with a limit on the time that the task's turns take together, on the
  /// scheduler's ticker}
  ///
  /// @param most at least zero; the task fails when it has taken more
  /// @throws IllegalArgumentException if it is negative
  public Quota runTime(Duration most) {
    return new Quota(turns, Durations.nanos(most, "most"), allocatedBytes);
  }

  /// {@return this quota with a limit on what the task allocates on the heap, garbage included} On
  /// the HANDOFF backend that cannot be measured.
  ///
  /// @param most in bytes, at least 1; the task fails when it has allocated more
  /// @throws IllegalArgumentException if it is less
  public Quota allocatedBytes(long most) {
    return new Quota(turns, runNanos, positive("allocatedBytes", most));
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
  boolean isExceededBy(Account account) {
    return account.turns > turns
        || account.runNanos > runNanos
        || account.allocatedBytes > allocatedBytes;
  }

  /// What an account that exceeds this has used too much of.
  String excess(Account account) {
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
    return "quota(turns=%s, runTime=%s, allocatedBytes=%s)"
        .formatted(
            limit(turns),
            runNanos == UNLIMITED ? "unlimited" : Durations.readable(Duration.ofNanos(runNanos)),
            limit(allocatedBytes));
  }

  private static String limit(long most) {
    return most == UNLIMITED ? "unlimited" : Long.toString(most);
  }
}
