package dev.rondo.condition;

import static java.util.stream.Collectors.joining;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// A predicate as something to await: it comes when the predicate answers a value.
///
/// Looks at the predicate when a wait begins; from then on the add-on does.
final class Condition<T> implements Waitable<T> {

  private final WaitForCondition addOn;
  private final Supplier<Optional<T>> predicate;

  /// Whether a wait begins with a look. Handlers do without: their predicates are looked at in the
  /// order of registration and nothing else.
  private final boolean looksOnEntry;

  /// The cells it read when it was last looked at, for reports.
  private Set<Cell<?>> seen = Set.of();

  Condition(WaitForCondition addOn, Supplier<Optional<T>> predicate, boolean looksOnEntry) {
    this.addOn = addOn;
    this.predicate = predicate;
    this.looksOnEntry = looksOnEntry;
  }

  /// Runs the predicate.
  ///
  /// @param look takes note of what it reads
  Optional<T> look(Evaluation look) {
    Optional<T> answer = addOn.run(predicate, look);
    seen = look.cells();
    if (answer == null) {
      throw new NullPointerException(
          "the predicate answered null; let it answer Optional.empty() for 'not yet'");
    }
    return answer;
  }

  @Override
  public boolean poll(Waiter<? super T> waiter) {
    if (!looksOnEntry) {
      return false;
    }
    Optional<T> answer = look(addOn.newLook());
    return answer.isPresent() && waiter.fire(answer.get());
  }

  @Override
  public void arm(Waiter<? super T> waiter) {
    var watch = new ConditionWait<T>(this, waiter);
    waiter.attach(watch);
    addOn.add(watch);
  }

  @Override
  public void disarm(Waiter<? super T> waiter) {
    if (waiter.attachment() instanceof ConditionWait<?> watch) {
      var _ = addOn.remove(watch);
    }
  }

  /// False: a predicate is looked at, nothing is taken.
  @Override
  public boolean isEager() {
    return false;
  }

  @Override
  public String toString() {
    return seen.isEmpty()
        ? "a predicate"
        : seen.stream().map(Cell::toString).collect(joining(", ", "a predicate of ", ""));
  }
}
