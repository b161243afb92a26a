package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.observe.ReportText;
import java.time.Duration;

/// A timer that is armed, as an onlooker sees it at one moment: see [WaitForTime#nextTimers(int)].
///
/// @param dueIn how long until it is due; zero if it is
/// @param what it does then, for people
public record ArmedTimer(Duration dueIn, String what) {

  /// Checks that nothing is missing.
  public ArmedTimer {
    requireNonNull(dueIn, "dueIn is null");
    requireNonNull(what, "what is null");
  }

  @Override
  public String toString() {
    return "in %s: %s".formatted(ReportText.duration(dueIn), what);
  }
}
