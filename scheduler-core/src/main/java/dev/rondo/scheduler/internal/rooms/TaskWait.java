package dev.rondo.scheduler.internal.rooms;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The wait of a task for other tasks: an edge of the wait-for graph.
///
/// @param waiter the task that waits
/// @param waitingFor what it waits for
/// @param since how long it has waited
/// @param stamp identifies the wait: with near certainty, every other wait of the task has another
///   stamp
/// @param needsAll whether the wait ends when all holders have acted; otherwise the first is enough
/// @param isHeld whether only the holders, cancellation, or a time limit can end the wait
/// @param holders the tasks that can end the wait, at least one; the first 64 if there are more
/// @param hasMore whether there are more holders than these
public record TaskWait(
    Holder waiter,
    String waitingFor,
    Duration since,
    long stamp,
    boolean needsAll,
    boolean isHeld,
    List<Holder> holders,
    boolean hasMore) {

  /// A task, possibly of another loop.
  ///
  /// @param loop the number of its loop, unique in this process
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

  /// {@return the name of the only task that must act before an event can come; null if there is no
  /// single one} If [Waitable#holder()] throws, the text says so.
  ///
  /// @param awaited what a task waits for
  public static @Nullable String holderName(Waitable<?> awaited) {
    requireNonNull(awaited, "awaited is null");
    try {
      Task<?> holder = awaited.holder();
      return holder == null ? null : holder.name();
    } catch (Throwable e) {
      return ReportText.threw("holder()", e);
    }
  }

  @Override
  public String toString() {
    return "task '%s' waits for %s since %s"
        .formatted(ReportText.escaped(waiter.name), waitingFor, ReportText.duration(since));
  }
}
