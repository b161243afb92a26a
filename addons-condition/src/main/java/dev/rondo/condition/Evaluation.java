package dev.rondo.condition;

import dev.rondo.scheduler.Task;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One run of a predicate, and the cells that it read.
final class Evaluation {

  /// The task that runs the predicate; null outside tasks.
  final @Nullable Task<?> task;

  /// In the order they were read. No set is allocated for a predicate that reads none.
  private Set<Cell<?>> cells = Set.of();

  /// Whether it read other state as well, see [WaitForCondition#untracked].
  boolean untracked;

  Evaluation(@Nullable Task<?> task) {
    this.task = task;
  }

  void read(Cell<?> cell) {
    if (cells.isEmpty()) {
      cells = new LinkedHashSet<>();
    }
    cells.add(cell);
  }

  Set<Cell<?>> cells() {
    return cells;
  }

  /// Whether only its cells can change the result of the predicate.
  boolean isOfCellsOnly() {
    return !cells.isEmpty() && !untracked;
  }
}
