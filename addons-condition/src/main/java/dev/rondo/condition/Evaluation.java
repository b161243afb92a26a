package dev.rondo.condition;

import dev.rondo.scheduler.Task;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One run of a predicate, and what it read.
final class Evaluation {

  /// Whose turn it is; null outside of tasks.
  final @Nullable Task<?> task;

  /// In the order they were read; no set is made for a predicate that reads none.
  private Set<Cell<?>> cells = Set.of();

  /// Whether it said that it reads something else, too.
  boolean foreign;

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

  /// Whether nothing but its cells can change what the predicate answers.
  boolean isOfCellsOnly() {
    return !cells.isEmpty() && !foreign;
  }
}
