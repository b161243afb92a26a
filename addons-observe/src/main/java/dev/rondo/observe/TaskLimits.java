package dev.rondo.observe;

import static java.util.Objects.requireNonNull;

import dev.rondo.observe.internal.TaskMetering;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.engine.util.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/// How much a task may use before it fails with [dev.rondo.scheduler.TaskLimitExceededException].
/// Immutable.
///
/// The scheduler checks the limits after each turn. So they do not detect a turn that never ends;
/// [Observers#watchdog] does.
public final class TaskLimits {

  private static final TaskLimits NONE =
      new TaskLimits(OptionalLong.empty(), Optional.empty(), OptionalLong.empty());

  private final OptionalLong turns;
  private final Optional<Duration> runTime;
  private final OptionalLong allocatedBytes;

  private TaskLimits(OptionalLong turns, Optional<Duration> runTime, OptionalLong allocatedBytes) {
    this.turns = turns;
    this.runTime = runTime;
    this.allocatedBytes = allocatedBytes;
  }

  /// {@return no limits}
  public static TaskLimits unlimited() {
    return NONE;
  }

  /// {@return these limits with a limit on turns}
  ///
  /// @param most at least 1; the task fails when it has had more
  /// @throws IllegalArgumentException if it is less
  public TaskLimits turns(long most) {
    return new TaskLimits(positive("turns", most), runTime, allocatedBytes);
  }

  /// {@return these limits with a limit on the time that the task's turns take together, on the
  /// scheduler's ticker}
  ///
  /// @param most at least zero; the task fails when it has taken more
  /// @throws IllegalArgumentException if it is negative
  public TaskLimits runTime(Duration most) {
    Duration checked = Duration.ofNanos(Durations.nanos(most, "most"));
    return new TaskLimits(turns, Optional.of(checked), allocatedBytes);
  }

  /// {@return these limits with a limit on what the task allocates on the heap, garbage included}
  /// It cannot be measured on the HANDOFF backend.
  ///
  /// @param most in bytes, at least 1; the task fails when it has allocated more
  /// @throws IllegalArgumentException if it is less
  public TaskLimits allocatedBytes(long most) {
    return new TaskLimits(turns, runTime, positive("allocatedBytes", most));
  }

  private static OptionalLong positive(String name, long most) {
    if (most < 1) {
      throw new IllegalArgumentException(
          name + "=" + most + ", must be at least 1; for no limit leave it out");
    }
    return OptionalLong.of(most);
  }

  /// Sets how much a task may use, in place of the standard of its scheduler. Takes effect at the
  /// end of its next turn.
  ///
  /// @param task of the scheduler of this thread
  /// @throws IllegalStateException if the scheduler has no [Observers#taskMetrics()], or the limits
  ///   cannot be measured on its backend
  public void applyTo(Task<?> task) {
    TaskMetering.limit(requireNonNull(task, "task is null"), this);
  }

  /// {@return how many turns the task may have; empty if any number}
  public OptionalLong turns() {
    return turns;
  }

  /// {@return how long the task's turns may take together; empty if any time}
  public Optional<Duration> runTime() {
    return runTime;
  }

  /// {@return how many bytes the task may allocate; empty if any number}
  public OptionalLong allocatedBytes() {
    return allocatedBytes;
  }

  /// {@return the limits, in words}
  @Override
  public String toString() {
    return "limits(turns=%s, runTime=%s, allocatedBytes=%s)"
        .formatted(
            limit(turns),
            runTime.map(Durations::readable).orElse("unlimited"),
            limit(allocatedBytes));
  }

  private static String limit(OptionalLong most) {
    return most.isPresent() ? Long.toString(most.getAsLong()) : "unlimited";
  }
}
