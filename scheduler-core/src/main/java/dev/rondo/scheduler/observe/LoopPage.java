package dev.rondo.scheduler.observe;

import static java.util.Objects.requireNonNull;

import java.util.List;

/// Some of what a [LoopMonitor] sees of its loop's tasks or channels, at one moment.
///
/// @param <T> what there is of each
/// @param found what was looked for, of those that were looked at
/// @param visited how many were looked at
/// @param next where to go on; [#NO_MORE] after the last one
public record LoopPage<T>(List<T> found, int visited, int next) {

  /// In place of where to go on.
  public static final int NO_MORE = -1;

  /// Copies the list.
  public LoopPage {
    found = List.copyOf(requireNonNull(found, "found is null"));
  }

  /// A task and its place.
  ///
  /// @param slot a page from here begins with the task, as long as it lives
  /// @param task what it is doing
  public record Row(int slot, TaskInfo task) {}
}
