package dev.rondo.benchmarks.house;

/// A type that [GrainTest] names in its code, so that it can find itself doing so.
final class GrainNeighbour {

  /// Not a constant expression: the compiler must not copy it.
  static final boolean EXISTS = Boolean.parseBoolean("true");

  private GrainNeighbour() {}
}
