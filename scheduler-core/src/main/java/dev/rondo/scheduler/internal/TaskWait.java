package dev.rondo.scheduler.internal;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;

/// The wait of a task for other tasks: an edge of the graph of which task waits for which.
///
/// @param waiter the task that waits
/// @param waitingFor what it waits for
/// @param since how long it has waited
/// @param stamp differs, with near certainty, for every other wait of the task: two looks that find
///   the same have found the same wait
/// @param needsAll whether the wait ends when all holders have acted; otherwise the first is enough
/// @param isHeld whether nothing but the holders can end it, except cancellation and a time limit
/// @param holders the tasks that can end it, at least one; of very many the first 64
public record TaskWait(
    Holder waiter,
    String waitingFor,
    Duration since,
    long stamp,
    boolean needsAll,
    boolean isHeld,
    List<Holder> holders) {

  /// A task, which may be one of another loop.
  ///
  /// @param loop the number of its loop, which no other one of the process has
  /// @param id its number in its loop
  /// @param name its name
  public record Holder(long loop, long id, String name) {}

  /// Copies the holders.
  public TaskWait {
    requireNonNull(waiter, "waiter is null");
    requireNonNull(waitingFor, "waitingFor is null");
    requireNonNull(since, "since is null");
    holders = List.copyOf(requireNonNull(holders, "holders is null"));
  }

  @Override
  public String toString() {
    return "task '%s' waits for %s since %s"
        .formatted(ReportText.escaped(waiter.name), waitingFor, ReportText.duration(since));
  }
}
