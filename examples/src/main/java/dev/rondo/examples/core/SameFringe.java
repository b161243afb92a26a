package dev.rondo.examples.core;

import dev.rondo.scheduler.Generator;
import dev.rondo.scheduler.Scheduler;
import java.util.List;
import java.util.stream.Stream;

/// The same-fringe problem (C. Hewitt, 1977): do two trees have the same leaves in the same order?
/// A generator walks each tree recursively, only as far as the comparison needs.
final class SameFringe {

  /// A binary tree.
  sealed interface Tree {

    /// {@return a tree with the leaves of two trees}
    static Tree of(Tree left, Tree right) {
      return new Fork(left, right);
    }

    /// {@return a leaf}
    static Tree of(String text) {
      return new Leaf(text);
    }
  }

  private record Leaf(String text) implements Tree {}

  private record Fork(Tree left, Tree right) implements Tree {}

  private final Scheduler scheduler;
  private int visited;

  SameFringe(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  static void main() {
    Tree leaning = Tree.of(Tree.of(Tree.of("a"), Tree.of("b")), Tree.of("c"));
    Tree upright = Tree.of(Tree.of("a"), Tree.of(Tree.of("b"), Tree.of("c")));
    try (Scheduler scheduler = Scheduler.create()) {
      var fringes = new SameFringe(scheduler);
      IO.println(fringes.areSame(leaning, upright) + ": " + fringes.first(leaning, 9));
    }
  }

  /// {@return whether both have the same leaves}
  boolean areSame(Tree one, Tree other) {
    try (Generator<String> left = leaves(one);
        Generator<String> right = leaves(other)) {
      while (left.hasNext() && right.hasNext()) {
        if (!left.next().equals(right.next())) {
          return false;
        }
      }
      return left.hasNext() == right.hasNext();
    }
  }

  /// {@return the first leaves of a tree}
  List<String> first(Tree tree, int count) {
    try (Stream<String> leaves = leaves(tree).stream()) {
      return leaves.limit(count).toList();
    }
  }

  /// {@return the number of visited leaves so far}
  int visited() {
    return visited;
  }

  private Generator<String> leaves(Tree tree) {
    return scheduler.newGenerator("leaves", sink -> walk(tree, sink));
  }

  private void walk(Tree tree, Generator.Sink<String> sink) {
    switch (tree) {
      case Leaf(String text) -> {
        visited++;
        sink.yield(text);
      }
      case Fork(Tree left, Tree right) -> {
        walk(left, sink);
        walk(right, sink);
      }
    }
  }
}
