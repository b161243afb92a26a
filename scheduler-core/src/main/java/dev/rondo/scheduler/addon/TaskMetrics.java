package dev.rondo.scheduler.addon;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.util.Durations;
import java.time.Duration;
import java.util.Optional;
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

  /// {@return what a task has used so far; empty if it is not metered}
  ///
  /// @param task of the scheduler of this thread
  /// @throws WrongThreadException on another thread
  public static Optional<TaskMetrics> of(Task<?> task) {
    return Rooms.metricsOf(requireNonNull(task, "task is null"));
  }

  /// {@return the metrics in one line}
  String describe() {
    var text = new StringBuilder("turns=").append(turns);
    text.append(", runTime=").append(Durations.readable(runTime));
    text.append(", longestTurn=").append(Durations.readable(longestTurn));
    allocatedBytes.ifPresent(bytes -> text.append(", allocatedBytes=").append(bytes));
    return text.toString();
  }

  /// The same as [#describe()].
  @Override
  public String toString() {
    return describe();
  }
}
