package dev.rondo.condition;

import static java.util.stream.Collectors.joining;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.Source;
import dev.rondo.scheduler.internal.rooms.Attachment;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// A predicate as something to await: the event comes when the predicate returns a value.
///
/// A condition evaluates its predicate when a wait begins, as if outside the waiting task. From
/// then on the add-on evaluates it.
final class Condition<T> implements Source<T> {

  private final WaitForCondition addOn;
  private final Supplier<Optional<T>> predicate;

  /// Whether a wait evaluates the predicate when it begins. Handlers' waits do not, because their
  /// predicates run strictly in the order of registration.
  private final boolean evaluatesOnEntry;

  /// The cells that the predicate read last, for reports.
  private Set<Cell<?>> cells = Set.of();

  Condition(WaitForCondition addOn, Supplier<Optional<T>> predicate, boolean evaluatesOnEntry) {
    this.addOn = addOn;
    this.predicate = predicate;
    this.evaluatesOnEntry = evaluatesOnEntry;
  }

  /// Runs the predicate.
  ///
  /// @param evaluation records what it reads
  Optional<T> evaluate(Evaluation evaluation) {
    Optional<T> result = addOn.run(predicate, evaluation);
    cells = evaluation.cells();
    if (result == null) {
      throw new NullPointerException(
          "the predicate returned null; return Optional.empty() for 'not yet'");
    }
    return result;
  }

  @Override
  public boolean poll(Waiter<? super T> waiter) {
    if (!evaluatesOnEntry) {
      return false;
    }
    Optional<T> result = addOn.outsideOfTasks(() -> evaluate(addOn.newEvaluation()));
    return result.isPresent() && waiter.fire(result.get());
  }

  @Override
  public void arm(Waiter<? super T> waiter) {
    var wait = new ConditionWait<T>(this, waiter);
    Attachment.set(waiter, wait);
    addOn.add(wait);
  }

  @Override
  public void disarm(Waiter<? super T> waiter) {
    if (Attachment.of(waiter) instanceof ConditionWait<?> wait) {
      var _ = addOn.remove(wait);
    }
  }

  @Override
  public Scheduler scheduler() {
    return addOn.scheduler();
  }

  /// False: a predicate is evaluated, nothing is taken.
  @Override
  public boolean isEager() {
    return false;
  }

  @Override
  public String toString() {
    return cells.isEmpty()
        ? "a predicate"
        : cells.stream().map(Cell::toString).collect(joining(", ", "a predicate of ", ""));
  }
}
