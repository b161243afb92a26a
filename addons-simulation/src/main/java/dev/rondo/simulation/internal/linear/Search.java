package dev.rondo.simulation.internal.linear;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Looks for an order of operations in which each is between its call and its return, and returns
/// what the specification says.
///
/// The algorithm of J. M. Wing and C. Gong ("Testing and Verifying Concurrent Objects", 1993) in
/// the form of G. Lowe ("Testing for Linearizability", 2017), which remembers the *configurations*
/// it has seen: which operations took effect, and the state. The list of events is that of A. Horn
/// and D. Kroening ("Faster Linearizability Checking via P-Compositionality", 2015). There is no
/// kept Java library for recorded histories: Lincheck checks the runs that it makes itself, Knossos
/// is written in Clojure, and Porcupine in Go.
///
/// Two things follow from the search being exhaustive. An order of all operations called before the
/// last event at which it got stuck would have led past that event, so there is none, while there
/// is one of those that had returned. And to the longest order found there no operation that
/// returned can be added.
///
/// @param <S> the states
public final class Search<S extends @Nullable Object> {

  private static final int NONE = -1;

  private final Specification<S> specification;
  private final List<Span> operations;
  private final EventList events;
  private final int limit;

  private final Set<Configuration<S>> seen = new HashSet<>();
  private final BitSet placed = new BitSet();
  private final List<Integer> order = new ArrayList<>();
  private final List<S> statesBefore = new ArrayList<>();
  private final int completedCount;
  private int completedLeft;

  private int stuckAt = NONE;
  private List<Integer> longest = List.of();
  private int longestCompleted;

  /// Which operations took effect, and the state then. All those before a number, and some others.
  private record Configuration<S extends @Nullable Object>(int all, BitSet others, S state) {

    static <S extends @Nullable Object> Configuration<S> of(BitSet placed, S state) {
      int all = placed.nextClearBit(0);
      return new Configuration<>(all, placed.get(all, Math.max(all, placed.length())), state);
    }
  }

  private Search(Specification<S> specification, List<Span> operations, int limit) {
    this.specification = specification;
    this.operations = operations;
    this.limit = limit;
    events = new EventList(operations);
    completedCount = (int) operations.stream().filter(span -> !span.isPending()).count();
    completedLeft = completedCount;
  }

  /// {@return what was found}
  ///
  /// @param specification of the operations
  /// @param operations in the order of their calls
  /// @param limit how many configurations to look at before the search is given up
  public static <S extends @Nullable Object> Finding of(
      Specification<S> specification, List<Span> operations, int limit) {
    return new Search<>(specification, operations, limit).run();
  }

  private Finding run() {
    S state = specification.initial();
    int event = events.first();
    while (completedLeft > 0) {
      int operation = events.operation(event);
      if (events.isReturn(event)) {
        noteStuck(event);
        if (order.isEmpty()) {
          return new Finding.Refuted(longest, events.operation(stuckAt));
        }
        int last = order.removeLast();
        state = statesBefore.removeLast();
        takeBack(last);
        event = events.after(events.callOf(last));
        continue;
      }
      Specification.Next<S> next = specification.apply(state, operation);
      if (next == null || isIdle(operation, state, next.state()) || !place(operation, next)) {
        event = events.after(event);
        continue;
      }
      if (seen.size() > limit) {
        return new Finding.Undecided(limit);
      }
      order.add(operation);
      statesBefore.add(state);
      state = next.state();
      event = events.first();
    }
    return new Finding.Found(List.copyOf(order));
  }

  /// Whether it makes no difference that an operation took effect.
  private boolean isIdle(int operation, S before, S after) {
    return operations.get(operation).isPending() && Objects.equals(before, after);
  }

  /// Lets an operation take effect, unless that leads to a configuration that was seen.
  private boolean place(int operation, Specification.Next<S> next) {
    placed.set(operation);
    if (!seen.add(Configuration.of(placed, next.state()))) {
      placed.clear(operation);
      return false;
    }
    events.remove(operation);
    if (!operations.get(operation).isPending()) {
      completedLeft--;
    }
    return true;
  }

  private void takeBack(int operation) {
    placed.clear(operation);
    events.putBack(operation);
    if (!operations.get(operation).isPending()) {
      completedLeft++;
    }
  }

  private void noteStuck(int event) {
    int completed = completedCount - completedLeft;
    boolean longer = completed > longestCompleted;
    boolean simpler = completed == longestCompleted && order.size() < longest.size();
    if (event > stuckAt || (event == stuckAt && (longer || simpler))) {
      stuckAt = event;
      longest = List.copyOf(order);
      longestCompleted = completed;
    }
  }

  /// The calls and returns of what has not taken effect, linked in their order.
  private static final class EventList {

    private final int[] operation;
    private final int[] callOf;
    private final int[] returnOf;
    private final int[] after;
    private final int[] before;
    private final int head;

    EventList(List<Span> operations) {
      record Event(int instant, int operation) {}
      var sorted =
          IntStream.range(0, operations.size())
              .boxed()
              .<Event>mapMulti((i, sink) -> {
                Span span = operations.get(i);
                sink.accept(new Event(span.call(), i));
                if (!span.isPending()) {
                  sink.accept(new Event(span.end(), i));
                }
              })
              .sorted(Comparator.comparingInt(Event::instant))
              .toList();
      head = sorted.size();
      operation = sorted.stream().mapToInt(Event::operation).toArray();
      callOf = new int[operations.size()];
      returnOf = new int[operations.size()];
      Arrays.fill(callOf, NONE);
      Arrays.fill(returnOf, NONE);
      after = new int[head + 1];
      before = new int[head + 1];
      for (int event = 0; event < head; event++) {
        int[] place = callOf[operation[event]] == NONE ? callOf : returnOf;
        place[operation[event]] = event;
      }
      for (int event = 0; event <= head; event++) {
        after[event] = event == head ? 0 : event + 1;
        before[event] = event == 0 ? head : event - 1;
      }
    }

    int first() {
      return after[head];
    }

    int after(int event) {
      return after[event];
    }

    int operation(int event) {
      return operation[event];
    }

    int callOf(int operation) {
      return callOf[operation];
    }

    boolean isReturn(int event) {
      return returnOf[operation[event]] == event;
    }

    void remove(int operation) {
      unlink(callOf[operation]);
      if (returnOf[operation] != NONE) {
        unlink(returnOf[operation]);
      }
    }

    /// The reverse of [#remove(int)], for what was removed last.
    void putBack(int operation) {
      if (returnOf[operation] != NONE) {
        link(returnOf[operation]);
      }
      link(callOf[operation]);
    }

    private void unlink(int event) {
      after[before[event]] = after[event];
      before[after[event]] = before[event];
    }

    private void link(int event) {
      after[before[event]] = event;
      before[after[event]] = event;
    }
  }
}
