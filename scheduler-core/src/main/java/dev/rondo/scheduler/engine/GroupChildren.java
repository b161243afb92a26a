package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.TaskGroup;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The tasks of a [TaskGroup]: which of them are left, and how the others ended. As something to
/// wait for, it is the end of the last.
///
/// @param <T> what all their results have in common
final class GroupChildren<T extends @Nullable Object> extends StateWait {

  private final GroupCore<T> group;

  /// Those that have not ended, in the order they were spawned.
  private final LinkedHashSet<TaskCore<?>> left = new LinkedHashSet<>();

  /// All that are kept, in the order they were spawned.
  private final List<TaskCore<? extends T>> kept = new ArrayList<>();

  GroupChildren(GroupCore<T> group) {
    this.group = group;
  }

  void add(TaskCore<? extends T> child) {
    left.add(child);
  }

  /// Keeps one for the outcomes.
  void keep(TaskCore<? extends T> child) {
    kept.add(child);
  }

  void remove(TaskCore<?> child) {
    left.remove(child);
  }

  // Those that are left.

  /// Waits for all, those that are added meanwhile among them. A *possible* suspension point.
  void awaitAll(Loop loop) {
    StackfulTask<?> owner = loop.currentStackful("end of a group");
    while (!isSo()) {
      var _ = owner.withoutScheduling(() -> owner.<@Nullable Void>await(this));
    }
  }

  Iterable<TaskCore<?>> left() {
    return left;
  }

  List<TaskCore<?>> youngestFirst() {
    return List.copyOf(left).reversed();
  }

  @Override
  boolean isSo() {
    return left.isEmpty();
  }

  @Override
  public boolean mayStayMounted() {
    return true;
  }

  /// The child, if there is just one left.
  @Override
  public @Nullable TaskCore<?> holder() {
    return left.size() == 1 ? left.getFirst() : null;
  }

  /// How many are left, behind the name of a group.
  String suffix() {
    return isSo() ? "" : " (" + left.size() + " left)";
  }

  // How they ended.

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
      case Outcome.Cancelled<V>(TaskCancelled cause) -> throw Completion.cancellation(cause);
    };
  }

  @Override
  public String toString() {
    return "the end of " + group;
  }
}
