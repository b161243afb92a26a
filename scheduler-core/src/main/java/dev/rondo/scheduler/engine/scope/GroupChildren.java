package dev.rondo.scheduler.engine.scope;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.engine.Place;
import dev.rondo.scheduler.engine.StackfulTask;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.TaskOwner;
import dev.rondo.scheduler.engine.Throwables;
import dev.rondo.scheduler.engine.rooms.HeldWait;
import dev.rondo.scheduler.engine.rooms.KeptWait;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The tasks of a [TaskGroup] that have not ended, and the outcomes of the others. As a waitable,
/// this object is the end of the last task.
///
/// @param <T> the common type of the results of its tasks
final class GroupChildren<T extends @Nullable Object> extends StateWait
    implements HeldWait<@Nullable Void>, KeptWait {

  /// A child that has not ended, with its neighbours. This entry is the owner of the child.
  private final class Child implements TaskOwner {

    private final TaskCore<? extends T> task;
    private @Nullable Child older;
    private @Nullable Child younger;

    Child(TaskCore<? extends T> task) {
      this.task = task;
    }

    @Override
    public boolean taskEnded(Outcome<?> outcome) {
      remove(this);
      boolean taken = group.childEnded(task, outcome);
      if (size == 0) {
        wake(Place.BACK);
      }
      return taken;
    }
  }

  private final GroupCore<T> group;

  /// The children that have not ended are linked in the order in which they were spawned.
  private @Nullable Child oldest;

  private @Nullable Child youngest;
  private int size;

  /// All children that are kept for their outcomes, in the order in which they were spawned.
  private final List<TaskCore<? extends T>> kept = new ArrayList<>();

  /// Makes the failure that ended the owner's wait while the children cleaned up; null if there is
  /// none.
  private @Nullable Supplier<? extends Throwable> late;

  GroupChildren(GroupCore<T> group) {
    this.group = group;
  }

  /// Adds a child.
  ///
  /// @param keeps whether the child is kept for its outcome
  /// @return the owner of the child
  TaskOwner add(TaskCore<? extends T> task, boolean keeps) {
    if (keeps) {
      kept.add(task);
    }
    var child = new Child(task);
    Child before = youngest;
    child.older = before;
    youngest = child;
    if (before == null) {
      oldest = child;
    } else {
      before.younger = child;
    }
    size++;
    return child;
  }

  /// Forgets a child that has ended.
  private void remove(Child child) {
    Child before = child.older;
    Child after = child.younger;
    if (before == null) {
      oldest = after;
    } else {
      before.younger = after;
    }
    if (after == null) {
      youngest = before;
    } else {
      after.older = before;
    }
    size--;
  }

  // The children that are left.

  /// Waits for all children, including those that are added meanwhile. A *possible* suspension
  /// point.
  void awaitAll(StackfulTask<?> owner) {
    while (size > 0) {
      var _ = owner.withoutScheduling(() -> owner.<@Nullable Void>await(this));
    }
  }

  /// Whether the owner may stop waiting for the children, cancel them, and wait again.
  @Override
  public boolean mayFail() {
    return group.scope.isOpen();
  }

  /// Fails the group when the children have ended, because the owner must wait for the children.
  ///
  /// @return false if the group already fails for such a reason
  @Override
  public boolean failLater(Supplier<? extends Throwable> failure) {
    boolean first = late == null;
    if (first) {
      late = failure;
    }
    return first;
  }

  @Nullable Throwable lateFailure() {
    return late == null ? null : late.get();
  }

  /// The children that are left, the youngest first.
  List<TaskCore<?>> youngestFirst() {
    var left = new ArrayList<TaskCore<?>>(size);
    for (Child each = youngest; each != null; each = each.older) {
      left.add(each.task);
    }
    return left;
  }

  @Override
  public boolean isHeld(Predicate<? super TaskCore<?>> condition) {
    return oldest != null && condition.test(oldest.task);
  }

  @Override
  public boolean eachHolder(BiPredicate<Waitable<?>, TaskCore<?>> visitor) {
    for (Child each = oldest; each != null; each = each.younger) {
      if (!visitor.test(this, each.task)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean needsAllHolders() {
    return true;
  }

  @Override
  boolean isMet() {
    return size == 0;
  }

  /// The last child, if only one is left.
  @Override
  public @Nullable TaskCore<?> holder() {
    return size == 1 && oldest != null ? oldest.task : null;
  }

  /// The number of children that are left, as a suffix to the name of the group.
  String suffix() {
    return isMet() ? "" : " (" + size + " left)";
  }

  // Outcomes.

  List<T> results() {
    var results = new ArrayList<T>();
    for (TaskCore<? extends T> child : kept) {
      results.add(result(child));
    }
    return results;
  }

  List<Outcome<? extends T>> outcomes() {
    var outcomes = new ArrayList<Outcome<? extends T>>();
    for (TaskCore<? extends T> child : kept) {
      outcomes.add(Objects.requireNonNull(child.outcome()));
    }
    return outcomes;
  }

  static <V extends @Nullable Object> V result(TaskCore<V> child) {
    return switch (Objects.requireNonNull(child.outcome())) {
      case Outcome.Success<V>(V value) -> value;
      case Outcome.Failure<V>(Throwable cause) ->
          throw new TaskFailedException(child.name(), cause);
      case Outcome.Cancelled<V>(TaskCancelled cause) -> throw Throwables.cancellation(cause);
    };
  }

  @Override
  public String toString() {
    return "the end of " + group;
  }
}
