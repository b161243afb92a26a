package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/// An instant on a scheduler's clock, as a [java.time.Instant] is one on the wall clock. Programs
/// pass instants as deadlines and time spans as `Duration`s.
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
/// @param nanos the reading of the scheduler's ticker at that instant; the interfaces for add-ons
///   call it `deadlineNanos`, see [dev.rondo.scheduler.addon.AddOnHost#deadlineAfter]
public record Deadline(long nanos) {

  /// {@return this instant plus a duration}
  ///
  /// @param duration at least zero; centuries mean for ever
  /// @throws IllegalArgumentException if it is negative
  public Deadline plus(Duration duration) {
    return new Deadline(nanos + WaitForTime.nanos(duration, "duration"));
  }

  /// {@return the span from another instant to this one} The span is negative if this instant comes
  /// first. The time until a deadline is `deadline.minus(time.now())`.
  ///
  /// @param earlier of the same scheduler
  public Duration minus(Deadline earlier) {
    return Duration.ofNanos(nanos - requireNonNull(earlier, "earlier is null").nanos);
  }
}
