package dev.rondo.simulation.internal.linear;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Looks for an order of operations in which each is between its call and its return, and returns
/// what the specification says.
///
/// The algorithm of J. M. Wing and C. Gong ("Testing and Verifying Concurrent Objects", 1993) in
/// the form of G. Lowe ("Testing for Linearizability", 2017), which remembers the *configurations*
/// it has seen: which operations took effect, and the state. There is no kept Java library for
/// recorded histories: Lincheck checks the runs that it makes itself, Knossos is written in
/// Clojure, and Porcupine in Go.
///
/// **Pending operations** need not take effect, and each doubles the number of configurations. Of
/// two configurations with the same state, in which the same of the other operations took effect,
/// the one is as good as the other if its pending operations are among those of the other: it can
/// go on with whatever the other can go on with. So the search looks at all configurations without
/// a pending operation first, then at those with one, and so on, and leaves out those for which it
/// has seen a better one.
///
/// The search is exhaustive, and two things follow from that. If the operations invoked before the
/// return at which it got stuck had a legal order, the search would have passed that return. So
/// they have none, while the operations that had returned have one. And no operation that returned
/// can be added to the longest order found there.
///
/// @param <S> the states
public final class Search<S extends @Nullable Object> {

  private static final int NONE = -1;

  private final Specification<S> specification;
  private final List<Span> spans;
  private final int limit;

  /// The operations that returned, and the others, each in the order of their calls.
  private final int[] completed;

  private final int[] pending;

  /// By what took effect of the operations that returned, and the state: what took effect of the
  /// others. None of the sets contains another.
  private final Map<Configuration<S>, List<BitSet>> seen = new HashMap<>();

  private int configurations;

  /// Those with one pending operation more than the ones that are being looked at.
  private List<Node<S>> later = new ArrayList<>();

  private int stuckAt = NONE;
  private int blocked = NONE;
  private @Nullable Node<S> longest;

  /// Which of the operations that returned took effect, and the state then. All those before a
  /// number, and some of the others.
  ///
  /// @param others the bits of operations, less that number
  private record Configuration<S extends @Nullable Object>(int all, BitSet others, S state) {

    boolean has(int index) {
      return index < all || others.get(index - all);
    }

    int count() {
      return all + others.cardinality();
    }

    /// {@return this with one operation more, and the state after it}
    Configuration<S> with(int index, S next) {
      var placed = (BitSet) others.clone();
      placed.set(index - all);
      int more = placed.nextClearBit(0);
      return new Configuration<>(
          all + more, placed.get(more, Math.max(more, placed.length())), next);
    }
  }

  /// How a configuration was reached.
  ///
  /// @param pending which pending operations took effect
  /// @param last the operation that took effect last
  /// @param length how many took effect
  private record Node<S extends @Nullable Object>(
      Configuration<S> configuration,
      BitSet pending,
      @Nullable Node<S> before,
      int last,
      int length) {}

  private Search(Specification<S> specification, List<Span> spans, int limit) {
    this.specification = specification;
    this.spans = spans;
    this.limit = limit;
    completed = numbers(false);
    pending = numbers(true);
  }

  private int[] numbers(boolean arePending) {
    return IntStream.range(0, spans.size())
        .filter(i -> spans.get(i).isPending() == arePending)
        .toArray();
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
    var start = new Configuration<>(0, new BitSet(), specification.initial());
    later.add(new Node<>(start, new BitSet(), null, NONE, 0));
    while (!later.isEmpty()) {
      var level = new ArrayDeque<>(later);
      later = new ArrayList<>();
      for (Node<S> node; (node = level.pollFirst()) != null; ) {
        if (node.configuration().all() == completed.length) {
          return new Finding.Found(orderOf(node));
        }
        if (configurations > limit) {
          return new Finding.Undecided(limit);
        }
        lookAt(node, level);
      }
    }
    return new Finding.Refuted(orderOf(Objects.requireNonNull(longest)), blocked);
  }

  /// Lets each operation take effect that can be next.
  ///
  /// @param level receives, at its front, what has as many pending operations as the node
  private void lookAt(Node<S> node, Deque<Node<S>> level) {
    Configuration<S> at = node.configuration();
    int firstReturn = Span.NEVER;
    int returning = NONE;
    var next = new ArrayList<Node<S>>();
    for (int i = at.all(); i < completed.length && callOf(completed[i]) < firstReturn; i++) {
      if (!at.has(i)) {
        int operation = completed[i];
        if (spans.get(operation).end() < firstReturn) {
          firstReturn = spans.get(operation).end();
          returning = operation;
        }
        Specification.Next<S> after = specification.apply(at.state(), operation);
        if (after != null) {
          add(node, at.with(i, after.state()), node.pending(), operation, next);
        }
      }
    }
    noteStuck(firstReturn, returning, node);
    for (int i = 0; i < pending.length && callOf(pending[i]) < firstReturn; i++) {
      if (!node.pending().get(i)) {
        letPending(i, node);
      }
    }
    next.reversed().forEach(level::addFirst);
  }

  private void letPending(int index, Node<S> node) {
    Configuration<S> at = node.configuration();
    Specification.Next<S> after = specification.apply(at.state(), pending[index]);
    if (after != null && !Objects.equals(at.state(), after.state())) {
      var more = (BitSet) node.pending().clone();
      more.set(index);
      var next = new Configuration<>(at.all(), at.others(), after.state());
      add(node, next, more, pending[index], later);
    }
  }

  private int callOf(int operation) {
    return spans.get(operation).call();
  }

  /// Adds a configuration, unless one was seen that is as good.
  private void add(
      Node<S> node, Configuration<S> next, BitSet pendingOnes, int last, List<Node<S>> to) {
    List<BitSet> others = seen.computeIfAbsent(next, _ -> new ArrayList<>(1));
    for (BitSet other : others) {
      if (isIn(other, pendingOnes)) {
        return;
      }
    }
    others.add(pendingOnes);
    configurations++;
    to.add(new Node<>(next, pendingOnes, node, last, node.length() + 1));
  }

  private static boolean isIn(BitSet some, BitSet all) {
    for (int i = some.nextSetBit(0); i >= 0; i = some.nextSetBit(i + 1)) {
      if (!all.get(i)) {
        return false;
      }
    }
    return true;
  }

  /// @param event the return before which one of the operations has to take effect that can
  private void noteStuck(int event, int returning, Node<S> node) {
    if (event > stuckAt || (event == stuckAt && isBetter(node))) {
      stuckAt = event;
      blocked = returning;
      longest = node;
    }
  }

  /// Whether more of the operations that returned took effect, or as many with fewer others.
  private boolean isBetter(Node<S> node) {
    Node<S> best = Objects.requireNonNull(longest);
    int more = node.configuration().count() - best.configuration().count();
    return more > 0 || (more == 0 && node.length() < best.length());
  }

  private static List<Integer> orderOf(Node<?> last) {
    var order = new ArrayList<Integer>();
    for (Node<?> node = last; node.before() != null; node = node.before()) {
      order.add(node.last());
    }
    Collections.reverse(order);
    return List.copyOf(order);
  }
}
