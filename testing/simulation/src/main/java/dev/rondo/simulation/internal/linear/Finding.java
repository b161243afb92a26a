package dev.rondo.simulation.internal.linear;

import java.util.List;

/// What a search found.
public sealed interface Finding {

  /// There is an order that explains what each operation returned.
  ///
  /// @param order the operations that took effect
  record Found(List<Integer> order) implements Finding {}

  /// There is none.
  ///
  /// @param order one with as many as possible of the operations that returned
  /// @param blocked the operation whose return was not reached: no order has all operations that
  ///   were called before it
  record Refuted(List<Integer> order, int blocked) implements Finding {}

  /// The search was given up.
  ///
  /// @param configurations how many were looked at
  record Undecided(int configurations) implements Finding {}
}
