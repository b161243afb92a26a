package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/// An instant on a scheduler's clock, as [java.time.Instant] is one on the wall clock. Programs
/// pass instants as deadlines and spans of time as `Duration`s.
///
/// ```java
/// Deadline next = time.now();
/// while (open) {
///   next = next.plus(Duration.ofSeconds(1)); // however long the work takes
///   work();
///   time.yieldUntilTime(next);
/// }
/// ```
///
/// The clock counts nanoseconds from an arbitrary origin and may wrap around. So deadlines can be
/// compared only if they are of the same scheduler and less than 146 years apart.
///
/// @param nanos the reading of the scheduler's ticker at that instant: what authors of add-ons call
///   `deadlineNanos`, see [dev.rondo.scheduler.addon.AddOnHost#deadlineAfter]
public record Deadline(long nanos) {

  /// {@return the instant that is later by a duration}
  ///
  /// @param duration at least zero; centuries mean for ever
  /// @throws IllegalArgumentException if it is negative
  public Deadline plus(Duration duration) {
    return new Deadline(nanos + WaitForTime.nanos(duration, "duration"));
  }

  /// {@return the span from another instant to this one} Negative if this one comes first. The time
  /// until a deadline is `deadline.minus(time.now())`.
  ///
  /// @param earlier of the same scheduler
  public Duration minus(Deadline earlier) {
    return Duration.ofNanos(nanos - requireNonNull(earlier, "earlier is null").nanos);
  }
}
