package dev.rondo.exploration;

/// What a choice decides.
public enum ChoiceKind {

  /// Which task has the next turn. Zero is the task that round robin takes.
  TASK,

  /// Which host has the next turn. Zero is the host that has waited longest.
  HOST,

  /// When, and in which order, a message arrives. Zero is the shortest time, and the usual order.
  DELIVERY,

  /// Which fault happens. Zero is none.
  FAULT,

  /// A random number.
  RANDOM;

  private static final ChoiceKind[] ALL = values();

  /// {@return the kind with an ordinal}
  static ChoiceKind at(int ordinal) {
    return ALL[ordinal];
  }

  /// {@return whether a choice of this kind decides on the order of what happens}
  boolean isOrder() {
    return this == TASK || this == HOST;
  }
}
