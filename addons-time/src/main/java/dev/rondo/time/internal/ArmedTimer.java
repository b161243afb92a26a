package dev.rondo.time.internal;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;

/// An armed timer, as an [ArmedTimers.Search] saw it at one moment.
///
/// @param dueIn the time until it is due; zero if it is due
/// @param what a description of its action, for people
/// @param place where a search for the timers that are due after it begins
public record ArmedTimer(Duration dueIn, String what, Place place) {

  /// The place of a timer among all timers of a scheduler, in the order they are due.
  ///
  /// @param deadlineNanos when it is due, by the scheduler's clock
  /// @param number decides between timers that are due at the same instant
  public record Place(long deadlineNanos, long number) {}

  /// Checks that nothing is missing.
  public ArmedTimer {
    requireNonNull(dueIn, "dueIn is null");
    requireNonNull(what, "what is null");
    requireNonNull(place, "place is null");
  }

  @Override
  public String toString() {
    return "in %s: %s".formatted(ReportText.duration(dueIn), what);
  }
}
