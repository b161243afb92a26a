package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.engine.util.Durations;
import java.time.Duration;
import java.util.OptionalLong;

/// What one task has used up to one moment, if an instrument of its scheduler meters tasks, as that
/// of the module `dev.rondo.observe` does.
///
/// @param turns how many turns it has completed
/// @param runTime how long these turns took together, on the scheduler's ticker
/// @param longestTurn how long the longest of them took
/// @param allocatedBytes what it has allocated on the heap, garbage included; empty where that
///   cannot be measured: in stackful tasks on HANDOFF, or if the JVM does not count it
public record TaskMetrics(
    long turns, Duration runTime, Duration longestTurn, OptionalLong allocatedBytes) {

  /// {@return the metrics in one line}
  @Override
  public String toString() {
    var text = new StringBuilder("turns=").append(turns);
    text.append(", runTime=").append(Durations.readable(runTime));
    text.append(", longestTurn=").append(Durations.readable(longestTurn));
    allocatedBytes.ifPresent(bytes -> text.append(", allocatedBytes=").append(bytes));
    return text.toString();
  }
}
