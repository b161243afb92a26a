package dev.rondo.simulation;

/// Whether a [History] is linearizable.
public sealed interface Verdict {

  /// There is an order of the operations that explains each answer.
  record Linearizable() implements Verdict {}

  /// No order of the operations explains each answer.
  ///
  /// @param report the longest order that explains a part of the history, and which operations have
  ///   no place in it, as lines of text
  record NotLinearizable(String report) implements Verdict {}

  /// The search was given up at its limit.
  ///
  /// @param report where, as text
  record Undecided(String report) implements Verdict {}
}
