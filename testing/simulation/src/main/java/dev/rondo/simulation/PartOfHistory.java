package dev.rondo.simulation;

import static java.util.Objects.requireNonNull;

import dev.rondo.simulation.internal.linear.Finding;
import dev.rondo.simulation.internal.linear.Span;
import dev.rondo.simulation.internal.linear.Specification;
import dev.rondo.simulation.model.Model;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The operations of a history that concern one part of the system, as a search sees them, and what
/// is said of its finding.
///
/// @param <S> the states
/// @param <I> what is asked of the system
/// @param <O> what it answers
final class PartOfHistory<S extends @Nullable Object, I, O extends @Nullable Object>
    implements Specification<S> {

  private static final int MOST_LINES = 20;

  private final @Nullable Object key;
  private final Model<S, I, O> model;
  private final List<Invocation<I, O>> operations;

  PartOfHistory(@Nullable Object key, Model<S, I, O> model, List<Invocation<I, O>> operations) {
    this.key = key;
    this.model = model;
    this.operations = operations;
  }

  List<Span> spans() {
    return operations.stream()
        .map(op -> new Span(op.call(), op.hasReturned() ? op.end() : Span.NEVER))
        .toList();
  }

  @Override
  public S initial() {
    return model.initial();
  }

  @Override
  public @Nullable Next<S> apply(S state, int operation) {
    Invocation<I, O> invocation = operations.get(operation);
    Model.Step<S, O> step = model.apply(state, invocation.input());
    return fits(invocation, step) ? new Next<>(step.state()) : null;
  }

  private boolean fits(Invocation<I, O> invocation, Model.Step<S, O> step) {
    return !invocation.hasReturned() || model.accepts(step.output(), invocation.output());
  }

  // Reports.

  private String name() {
    return key == null ? "the history" : "the history of '" + key + "'";
  }

  String report(Finding.Undecided undecided) {
    return """
    undecided whether %s is linearizable: the search was given up after %,d configurations; \
    raise the limit, or record fewer operations without a known outcome (operations=%d, \
    unknown=%d)\
    """
        .formatted(
            name(),
            undecided.configurations(),
            operations.size(),
            operations.stream().filter(op -> !op.hasReturned()).count());
  }

  String report(Finding.Refuted refuted) {
    Invocation<I, O> blocked = operations.get(refuted.blocked());
    List<Integer> order = refuted.order();
    int hidden = Math.max(0, order.size() - MOST_LINES);
    S state = stateAfter(order);
    var lines = new ArrayList<String>();
    lines.add(
        name()
            + " is not linearizable: no order explains the answers to what was called before the"
            + " return of");
    lines.add("  " + blocked);
    lines.add(
        "Operations in the longest order that explains their answers: "
            + order.size()
            + (hidden == 0 ? "" : ", the last " + MOST_LINES + " of them:"));
    order.stream().skip(hidden).forEach(i -> lines.add("  " + operations.get(i)));
    lines.add("The state after them: " + state);
    lines.add("One of these must come next, and none can:");
    for (Invocation<I, O> other : without(order, blocked)) {
      O expected = model.apply(state, other.input()).output();
      lines.add("  %s, but the model answers %s".formatted(other, expected));
    }
    return String.join("\n", lines);
  }

  /// {@return when the first of the operations that [#report(Finding.Refuted)] shows was called}
  Duration shownSince(Finding.Refuted refuted) {
    Invocation<I, O> blocked = operations.get(refuted.blocked());
    List<Integer> order = refuted.order();
    return Stream.concat(
            order.stream().skip(Math.max(0, order.size() - MOST_LINES)).map(operations::get),
            without(order, blocked).stream())
        .map(Invocation::calledAt)
        .min(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  /// {@return when the operation ended that has no place in an order}
  Duration shownUntil(Finding.Refuted refuted) {
    return requireNonNull(operations.get(refuted.blocked()).endedAt());
  }

  private S stateAfter(List<Integer> order) {
    S state = model.initial();
    for (int i : order) {
      state = model.apply(state, operations.get(i).input()).state();
    }
    return state;
  }

  /// What returned, was called before the blocked operation returned, and is not in the order.
  private List<Invocation<I, O>> without(List<Integer> order, Invocation<I, O> blocked) {
    var placed = new HashSet<>(order);
    return IntStream.range(0, operations.size())
        .filter(i -> !placed.contains(i))
        .mapToObj(operations::get)
        .filter(other -> other.hasReturned() && other.call() < blocked.end())
        .toList();
  }
}
