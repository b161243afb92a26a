package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.TaskGroup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The tasks of a [TaskGroup]: which of them are left, and how the others ended. As something to
/// wait for, it is the end of the last.
///
/// @param <T> what all their results have in common
final class GroupChildren<T extends @Nullable Object> extends StateWait {

  private static final int FIRST_CAPACITY = 8;

  /// Of many children most may have ended, and looking for the others takes time.
  private static final int PLACES_PER_CHILD = 16;

  private final GroupCore<T> group;

  /// Whether those that have ended are kept, for the outcomes.
  private final boolean keepsAll;

  /// In the order they were spawned: all of them if they are kept, else those that have not ended,
  /// with gaps where the others were. Each knows its place, because a group may have very many: no
  /// set that hashes them.
  private @Nullable TaskCore<?>[] places = new TaskCore<?>[FIRST_CAPACITY];

  /// No child before this place is left.
  private int begin;

  /// Places from here on are empty.
  private int end;

  /// How many are left.
  private int size;

  GroupChildren(GroupCore<T> group, boolean keepsAll) {
    this.group = group;
    this.keepsAll = keepsAll;
  }

  void add(TaskCore<? extends T> child) {
    if (end == places.length) {
      makeRoom();
    }
    child.placeInGroup = end;
    places[end++] = child;
    size++;
  }

  /// At least half of the places are free afterwards, so that an addition costs constant time on
  /// average.
  private void makeRoom() {
    if (keepsAll) {
      places = Arrays.copyOf(places, 2 * end);
    } else {
      closeGaps();
    }
  }

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

  /// One has ended.
  void remove(TaskCore<?> child) {
    size--;
    if (!keepsAll) {
      forget(child);
    }
    while (begin < end && !isLeft(places[begin])) {
      begin++;
    }
  }

  private void forget(TaskCore<?> child) {
    places[child.placeInGroup] = null;
    while (end > 0 && places[end - 1] == null) {
      end--;
    }
    if (end == 0) {
      begin = 0;
    }
  }

  private static boolean isLeft(@Nullable TaskCore<?> child) {
    return child != null && !child.isDone();
  }

  // Those that are left.

  /// Waits for all, those that are added meanwhile among them. A *possible* suspension point.
  void awaitAll(Loop loop) {
    StackfulTask<?> owner = loop.currentStackful("end of a group");
    while (!isSo()) {
      var _ = owner.withoutScheduling(() -> owner.<@Nullable Void>await(this));
    }
  }

  /// Whether the owner may stop waiting for them, and wait again when they are cancelled.
  boolean mayBeLeft() {
    return group.scope.isOpen();
  }

  /// The oldest first.
  Stream<TaskCore<?>> left() {
    return left(end);
  }

  private Stream<TaskCore<?>> left(int last) {
    return Arrays.stream(places, begin, last)
        .<TaskCore<?>>flatMap(Stream::ofNullable)
        .filter(child -> !child.isDone());
  }

  /// The oldest, and others of those that were spawned soon after it.
  ///
  /// @param most how many to look for
  Stream<TaskCore<?>> oldestLeft(int most) {
    int last = (int) Math.min(end, begin + (long) PLACES_PER_CHILD * most);
    return left(last).limit(most);
  }

  @Override
  boolean isSo() {
    return size == 0;
  }

  @Override
  public boolean mayStayMounted() {
    return true;
  }

  /// The child, if there is just one left.
  @Override
  public @Nullable TaskCore<?> holder() {
    return size == 1 ? places[begin] : null;
  }

  /// How many are left, behind the name of a group.
  String suffix() {
    return isSo() ? "" : " (" + size + " left)";
  }

  // How they ended.

  List<T> results() {
    return kept().<T>map(GroupChildren::result).collect(Collectors.toCollection(ArrayList::new));
  }

  List<Outcome<? extends T>> outcomes() {
    var outcomes = new ArrayList<Outcome<? extends T>>();
    kept().forEach(child -> outcomes.add(Objects.requireNonNull(child.outcome())));
    return outcomes;
  }

  @SuppressWarnings("unchecked") // children of ours
  private Stream<TaskCore<? extends T>> kept() {
    return Arrays.stream(places, 0, end).map(child -> (TaskCore<? extends T>) child);
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
