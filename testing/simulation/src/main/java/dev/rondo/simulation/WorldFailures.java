package dev.rondo.simulation;

import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The failures of a world: those that no task has observed, and leaks.
///
/// Confined to the world's thread.
final class WorldFailures {

  /// @param at in virtual time
  /// @param where host and task
  /// @param failure what was thrown
  private record Entry(Duration at, String where, Throwable failure) {}

  private final WorldTime time;
  private final List<Entry> entries = new ArrayList<>();

  WorldFailures(WorldTime time) {
    this.time = time;
  }

  /// Something has failed now.
  ///
  /// @param where which task of the host
  void add(WorldHost host, String where, Throwable failure) {
    entries.add(new Entry(Duration.ofNanos(time.nanos()), host + ", " + where, failure));
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  void record(WorldRecorder recorder) {
    for (Entry each : entries) {
      recorder.failure(each.where + ": " + each.failure, each.failure);
    }
  }

  /// Forgets the failures. {@return an error that lists them}
  ///
  /// @param origin where the choices of the world come from
  /// @param state the faults that have happened, and what the tasks are doing, at the end of the
  ///   message
  SimulationFailedError take(String origin, String state) {
    var text = new StringBuilder(origin + ": failures that no task has observed:");
    for (Entry each : entries) {
      text.append("\n  at ")
          .append(ReportText.duration(each.at))
          .append(", ")
          .append(each.where)
          .append(": ")
          .append(each.failure);
    }
    var error = new SimulationFailedError(text.append(state).toString());
    error.initCause(entries.getFirst().failure);
    entries.stream().skip(1).forEach(each -> error.addSuppressed(each.failure));
    entries.clear();
    return error;
  }
}
