package dev.rondo.simulation.internal.disk;

import java.util.random.RandomGenerator;

/// Decides what of the unforced changes has reached the medium when the power fails. A quarter of
/// the failures lose all, a quarter lose nothing, the others lose each change with one probability.
final class Fate {

  private static final int KINDS = 4;
  private static final int TORN_ONE_IN = 8;

  private final RandomGenerator random;
  private final double kept;

  private Fate(RandomGenerator random, double kept) {
    this.random = random;
    this.kept = kept;
  }

  static Fate draw(RandomGenerator random) {
    int kind = random.nextInt(KINDS);
    return new Fate(random, kind == 0 ? 0 : kind == 1 ? 1 : random.nextDouble());
  }

  /// {@return whether a change has reached the medium}
  boolean keeps() {
    return kept >= 1 || (kept > 0 && random.nextDouble() < kept);
  }

  /// {@return how many of these changes, the earliest first, have reached it}
  int kept(int changes) {
    return keeps() ? changes : kept == 0 ? 0 : random.nextInt(changes);
  }

  /// {@return how many bytes of the last write to a sector have reached it}
  int keptBytes(int bytes) {
    boolean torn = kept > 0 && kept < 1 && random.nextInt(TORN_ONE_IN) == 0;
    return torn ? random.nextInt(bytes) : bytes;
  }
}
