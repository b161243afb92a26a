package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.OptionalLong;

/// The resources that one task has used up to one moment. An instrument that meters tasks provides
/// them, such as the meter of the module `dev.rondo.observe`.
///
/// @param turns the number of turns that the task has completed
/// @param runTime the total time of these turns, on the scheduler's ticker
/// @param longestTurn the time of the longest turn
/// @param allocatedBytes the bytes that the task has allocated on the heap, garbage included; empty
///   if they cannot be measured: in stackful tasks on HANDOFF, or if the JVM does not count them
public record TaskMetrics(
    long turns, Duration runTime, Duration longestTurn, OptionalLong allocatedBytes) {

  /// {@return the metrics in one line}
  @Override
  public String toString() {
    var text = new StringBuilder("turns=").append(turns);
    text.append(", runTime=").append(ReportText.duration(runTime));
    text.append(", longestTurn=").append(ReportText.duration(longestTurn));
    allocatedBytes.ifPresent(bytes -> text.append(", allocatedBytes=").append(bytes));
    return text.toString();
  }
}
