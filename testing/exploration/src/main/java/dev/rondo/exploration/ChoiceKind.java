package dev.rondo.exploration;

/// The decision that a choice makes.
public enum ChoiceKind {

  /// Which task has the next turn. Zero is the task that round robin takes.
  TASK(0),

  /// Which host has the next turn. Zero is the host that has waited longest.
  HOST(1),

  /// When, and in which order, a message arrives. Zero is the shortest time, and the usual order.
  DELIVERY(2),

  /// Which fault happens. Zero means that none does.
  FAULT(3),

  /// A random number.
  RANDOM(4),

  /// Which task has the rest of a turn, where threads race. Zero is the task that has the turn.
  SWITCH(5);

  private static final ChoiceKind[] ALL = values();

  /// How many kinds there are.
  static final int COUNT = ALL.length;

  /// In printed sequences; the kinds are in this order.
  final int code;

  ChoiceKind(int code) {
    this.code = code;
  }

  /// {@return the kind with a code}
  static ChoiceKind at(int code) {
    return ALL[code];
  }

  /// {@return the kind whose candidates are the same ones}
  ChoiceKind ofCandidates() {
    return this == SWITCH ? TASK : this;
  }

  /// {@return whether a choice of this kind decides on the order of what happens}
  boolean isOrder() {
    return this == TASK || this == HOST || this == SWITCH;
  }
}
