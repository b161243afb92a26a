package dev.rondo.observe;

import static java.util.Objects.requireNonNull;

import dev.rondo.observe.internal.TaskMetering;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.engine.util.Durations;
import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/// Limits on the resources of a task. A task that exceeds one fails with
/// [TaskLimitExceededException]. Immutable.
///
/// The scheduler checks the limits after each turn, so they do not detect a turn that never ends;
/// [Observers#watchdog] does.
///
/// @param turns the most turns that the task may have, at least 1; empty for no limit
/// @param runTime the longest time that the task's turns may take together, at least zero; empty
///   for no limit
/// @param allocatedBytes the most bytes that the task may allocate, at least 1; empty for no limit
public record TaskLimits(
    OptionalLong turns, Optional<Duration> runTime, OptionalLong allocatedBytes) {

  /// No limits.
  public static final TaskLimits UNLIMITED =
      new TaskLimits(OptionalLong.empty(), Optional.empty(), OptionalLong.empty());

  /// Checks the limits.
  ///
  /// @throws IllegalArgumentException if one is too small
  public TaskLimits {
    requirePositive("turns", turns);
    runTime = runTime.map(most -> Duration.ofNanos(Durations.nanos(most, "most")));
    requirePositive("allocatedBytes", allocatedBytes);
  }

  private static void requirePositive(String name, OptionalLong most) {
    if (most.isPresent() && most.getAsLong() < 1) {
      throw new IllegalArgumentException(
          name + "=" + most.getAsLong() + ", must be at least 1; for no limit leave it out");
    }
  }

  /// {@return these limits with a limit on turns}
  ///
  /// @param most at least 1; the task fails when it has had more
  /// @throws IllegalArgumentException if it is less
  public TaskLimits turns(long most) {
    return new TaskLimits(OptionalLong.of(most), runTime, allocatedBytes);
  }

  /// {@return these limits with a limit on the time that the task's turns take together, on the
  /// scheduler's ticker}
  ///
  /// @param most at least zero; the task fails when it has taken more
  /// @throws IllegalArgumentException if it is negative
  public TaskLimits runTime(Duration most) {
    requireNonNull(most, "most is null");
    return new TaskLimits(turns, Optional.of(most), allocatedBytes);
  }

  /// {@return these limits with a limit on the bytes that the task allocates on the heap, garbage
  /// included} Allocation cannot be measured on the HANDOFF backend.
  ///
  /// @param most in bytes, at least 1; the task fails when it has allocated more
  /// @throws IllegalArgumentException if it is less
  public TaskLimits allocatedBytes(long most) {
    return new TaskLimits(turns, runTime, OptionalLong.of(most));
  }

  /// Sets these limits for a task, in place of its scheduler's standard. They take effect at the
  /// end of the task's next turn.
  ///
  /// @param task a task of this thread's scheduler
  /// @throws IllegalStateException if the scheduler has no [Observers#taskMetrics()], or the limits
  ///   cannot be measured on its backend
  public void applyTo(Task<?> task) {
    TaskMetering.limit(requireNonNull(task, "task is null"), this);
  }

  /// {@return the limits, in words}
  @Override
  public String toString() {
    return "limits(turns=%s, runTime=%s, allocatedBytes=%s)"
        .formatted(
            limit(turns),
            runTime.map(ReportText::duration).orElse("unlimited"),
            limit(allocatedBytes));
  }

  private static String limit(OptionalLong most) {
    return most.isPresent() ? Long.toString(most.getAsLong()) : "unlimited";
  }
}
