package dev.rondo.condition;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A predicate as something to await: it comes when the predicate answers a value.
///
/// Looks at the predicate when a wait begins; from then on the add-on does, once per round.
final class Condition<T> implements Waitable<T> {

  private final WaitForCondition addOn;
  private final Supplier<Optional<T>> predicate;

  /// Whether a wait begins with a look. Handlers do without: their predicates are looked at in the
  /// order of registration and nothing else.
  private final boolean looksOnEntry;

  Condition(WaitForCondition addOn, Supplier<Optional<T>> predicate, boolean looksOnEntry) {
    this.addOn = addOn;
    this.predicate = predicate;
    this.looksOnEntry = looksOnEntry;
  }

  private Optional<T> look() {
    Optional<T> answer = predicate.get();
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
    Optional<T> answer = look();
    return answer.isPresent() && waiter.fire(answer.get());
  }

  @Override
  public void arm(Waiter<? super T> waiter) {
    var watch = new Watch<T>(this, waiter);
    waiter.attach(watch);
    addOn.add(watch);
  }

  @Override
  public void disarm(Waiter<? super T> waiter) {
    if (waiter.attachment() instanceof Watch<?> watch) {
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
    return "a predicate";
  }

  /// One wait for a condition; a link in the add-on's list.
  static final class Watch<T> {

    private final Condition<T> condition;
    private final Waiter<? super T> waiter;

    /// Neighbours in the list.
    @Nullable Watch<?> next;

    @Nullable Watch<?> previous;

    /// Counts up in the list.
    long sequence;

    boolean listed;

    /// Whether the wait began with a look since the last pass: it need not be looked at in the
    /// next.
    boolean fresh;

    Watch(Condition<T> condition, Waiter<? super T> waiter) {
      this.condition = condition;
      this.waiter = waiter;
    }

    /// Looks at the predicate, and ends the wait if that answers or fails - unless the predicate
    /// has ended it otherwise.
    void look(WaitForCondition addOn) {
      Optional<T> answer;
      try {
        answer = condition.look();
      } catch (Throwable e) {
        if (addOn.remove(this)) {
          var _ = waiter.fail(e);
        }
        return;
      }
      if (answer.isPresent() && addOn.remove(this)) {
        var _ = waiter.fire(answer.get());
      }
    }
  }
}
