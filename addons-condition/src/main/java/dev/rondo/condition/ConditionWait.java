package dev.rondo.condition;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waiter;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One wait for a condition.
final class ConditionWait<T> {

  private final Condition<T> condition;
  private final Waiter<? super T> waiter;

  /// Its place in the order in which the waits began.
  long sequence;

  /// Whether the wait has begun and not ended.
  boolean active;

  /// Its neighbours among the active waits, in their order.
  @Nullable ConditionWait<?> previous;

  @Nullable ConditionWait<?> next;

  /// The cells that it watches; empty if the predicate is polled.
  private Set<Cell<?>> cells = Set.of();

  ConditionWait(Condition<T> condition, Waiter<? super T> waiter) {
    this.condition = condition;
    this.waiter = waiter;
  }

  Task<?> task() {
    return waiter.task();
  }

  /// Evaluates the predicate, and ends the wait if the predicate returns a value or fails, unless
  /// the predicate itself has already ended the wait.
  void evaluate(WaitForCondition addOn) {
    Evaluation evaluation = addOn.newEvaluation();
    Optional<T> result;
    try {
      result = condition.evaluate(evaluation);
    } catch (Throwable e) {
      if (addOn.remove(this)) {
        var _ = waiter.fail(e);
      }
      return;
    }
    if (result.isPresent()) {
      if (addOn.remove(this)) {
        var _ = waiter.fire(result.get());
      }
    } else if (active) {
      watch(evaluation.isOfCellsOnly() ? evaluation.cells() : Set.of());
      addOn.keep(this, evaluation);
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
