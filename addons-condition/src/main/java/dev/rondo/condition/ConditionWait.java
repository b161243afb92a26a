package dev.rondo.condition;

import dev.rondo.scheduler.Waiter;
import java.util.Optional;
import java.util.Set;

/// One wait for a condition.
final class ConditionWait<T> {

  private final Condition<T> condition;
  private final Waiter<? super T> waiter;

  /// Its place in the order the waits began.
  long sequence;

  /// Whether it is in the add-on's books.
  boolean active;

  /// What it watches, if nothing else can end the wait; otherwise empty.
  private Set<Cell<?>> cells = Set.of();

  ConditionWait(Condition<T> condition, Waiter<? super T> waiter) {
    this.condition = condition;
    this.waiter = waiter;
  }

  /// Looks at the predicate, and ends the wait if that answers or fails - unless the predicate has
  /// ended it otherwise.
  void look(WaitForCondition addOn) {
    Evaluation look = addOn.newLook();
    Optional<T> answer;
    try {
      answer = condition.look(look);
    } catch (Throwable e) {
      if (addOn.remove(this)) {
        var _ = waiter.fail(e);
      }
      return;
    }
    if (answer.isPresent()) {
      if (addOn.remove(this)) {
        var _ = waiter.fire(answer.get());
      }
    } else if (active) {
      watch(look.isOfCellsOnly() ? look.cells() : Set.of());
      addOn.keep(this, look);
    }
  }

  /// Watches these cells and no others.
  void watch(Set<Cell<?>> now) {
    Set<Cell<?>> before = cells;
    cells = now;
    for (Cell<?> each : before) {
      if (!now.contains(each)) {
        each.removeReader(this);
      }
    }
    for (Cell<?> each : now) {
      each.addReader(this);
    }
  }
}
