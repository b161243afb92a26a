package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.TaskGroup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The tasks of a [TaskGroup]: those that have not ended, and the outcomes of the others. As a
/// waitable, this is the end of the last task.
///
/// @param <T> the common type of the results of its tasks
final class GroupChildren<T extends @Nullable Object> extends StateWait {

  private static final int FIRST_CAPACITY = 8;

  /// The number of places that are searched for each child that the caller asks for, because most
  /// of many children may have ended.
  private static final int PLACES_PER_CHILD = 16;

  private final GroupCore<T> group;

  /// The children that have not ended, in the order in which they were spawned, with gaps where
  /// others have ended. Each child has its place in a field, so no hash set is needed for a group
  /// of very many children.
  private @Nullable TaskCore<?>[] places = new TaskCore<?>[FIRST_CAPACITY];

  /// Places before this one are empty. See [#skipGap].
  private int begin;

  /// Places from here on are empty.
  private int end;

  private int size;

  /// All children that are kept for their outcomes, in the order in which they were spawned.
  private final List<TaskCore<? extends T>> kept = new ArrayList<>();

  /// Makes the failure that ended the owner's wait while the children cleaned up; null if there is
  /// none.
  private @Nullable Supplier<? extends Throwable> late;

  GroupChildren(GroupCore<T> group) {
    this.group = group;
  }

  void add(TaskCore<? extends T> child) {
    if (end == places.length) {
      closeGaps();
    }
    child.placeInGroup = end;
    places[end++] = child;
    size++;
  }

  /// Makes room: at least half of the places are free afterwards, so that an addition costs
  /// constant time on average.
  private void closeGaps() {
    @Nullable TaskCore<?>[] before = places;
    int used = end;
    places = new TaskCore<?>[Math.max(FIRST_CAPACITY, 2 * size)];
    end = 0;
    for (int i = begin; i < used; i++) {
      TaskCore<?> child = before[i];
      if (child != null) {
        child.placeInGroup = end;
        places[end++] = child;
      }
    }
    begin = 0;
  }

  /// Keeps a child for its outcome.
  void keep(TaskCore<? extends T> child) {
    kept.add(child);
  }

  /// Moves the beginning to the oldest child that is left. To do so whenever a child ends would
  /// cost more, and few groups are asked for their children.
  private void skipGap() {
    while (begin < end && places[begin] == null) {
      begin++;
    }
  }

  /// Forgets a child that has ended.
  void remove(TaskCore<?> child) {
    places[child.placeInGroup] = null;
    if (--size == 0) {
      begin = 0;
      end = 0;
    }
  }

  // Those that are left.

  /// Waits for all children, including those that are added meanwhile. A *possible* suspension
  /// point.
  void awaitAll(Loop loop) {
    StackfulTask<?> owner = loop.currentStackful("end of a group");
    while (!isMet()) {
      var _ = owner.withoutScheduling(() -> owner.<@Nullable Void>await(this));
    }
  }

  /// Whether the owner may stop waiting for the children, cancel them, and wait again.
  boolean mayBeLeft() {
    return group.scope.isOpen();
  }

  /// Fails the group when the children have ended, because the owner must wait for them.
  ///
  /// @return false if the group fails already for such a reason
  boolean failLater(Supplier<? extends Throwable> failure) {
    boolean first = late == null;
    if (first) {
      late = failure;
    }
    return first;
  }

  @Nullable Throwable lateFailure() {
    return late == null ? null : late.get();
  }

  /// The children that are left, the oldest first.
  Stream<TaskCore<?>> left() {
    skipGap();
    return Arrays.stream(places, begin, end).flatMap(Stream::ofNullable);
  }

  /// The oldest child that is left, and some that were spawned soon after it.
  ///
  /// @param most how many to look for
  Stream<TaskCore<?>> oldestLeft(int most) {
    skipGap();
    int last = (int) Math.min(end, begin + (long) PLACES_PER_CHILD * most);
    Stream<TaskCore<?>> there = Arrays.stream(places, begin, last).flatMap(Stream::ofNullable);
    return there.limit(most);
  }

  @Override
  boolean isMet() {
    return size == 0;
  }

  /// The last child, if only one is left.
  @Override
  public @Nullable TaskCore<?> holder() {
    if (size != 1) {
      return null;
    }
    skipGap();
    return places[begin];
  }

  /// The number of children that are left, as a suffix to the name of the group.
  String suffix() {
    return isMet() ? "" : " (" + size + " left)";
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
