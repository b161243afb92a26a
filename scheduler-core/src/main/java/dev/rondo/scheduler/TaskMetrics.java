package dev.rondo.scheduler;

import java.time.Duration;
import java.util.OptionalLong;

/// What one task had used at one moment, see [SchedulerBuilder#taskMetrics()].
///
/// @param turns how many turns it had had to their end
/// @param runTime how long they took together, on the scheduler's ticker
/// @param longestTurn how long the longest of them took
/// @param allocatedBytes what it had allocated on the heap, garbage included; empty where that
///   cannot be measured: in stackful tasks on HANDOFF, or if the JVM does not tell
public record TaskMetrics(
    long turns, Duration runTime, Duration longestTurn, OptionalLong allocatedBytes) {

  /// One line.
  String describe() {
    var text = new StringBuilder("turns=").append(turns);
    text.append(", runTime=").append(Durations.readable(runTime));
    text.append(", longestTurn=").append(Durations.readable(longestTurn));
    allocatedBytes.ifPresent(bytes -> text.append(", allocatedBytes=").append(bytes));
    return text.toString();
  }
}
