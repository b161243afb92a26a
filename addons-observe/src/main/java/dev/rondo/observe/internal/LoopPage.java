package dev.rondo.observe.internal;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.addon.TaskInfo;
import java.util.List;

/// Some of a loop's tasks or channels, as a [LoopMonitor] sees them at one moment.
///
/// @param <T> the type of the descriptions
/// @param found the selected ones among the visited tasks or channels; a copy
/// @param visited the number of tasks or channels visited, at least zero
/// @param next `from` of the next page; [#NO_MORE] after the last one
public record LoopPage<T>(List<T> found, int visited, int next) {

  /// The [#next()] of the last page.
  public static final int NO_MORE = -1;

  /// Copies the list.
  public LoopPage {
    found = List.copyOf(requireNonNull(found, "found is null"));
  }

  /// A task and its place.
  ///
  /// @param slot at least zero; a page from this slot begins with the task while the task is alive
  /// @param task the description of the task
  public record Row(int slot, TaskInfo task) {}
}
