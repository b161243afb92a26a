package dev.rondo.simulation.internal.disk;

import dev.rondo.simulation.internal.Chance;
import java.util.random.RandomGenerator;

/// Decides what of the unforced changes has reached the medium when the power fails. A quarter of
/// the failures lose nothing, a quarter lose all, the others lose each change with one probability.
/// What is drawn as 0 loses nothing.
final class Fate {

  private static final int KINDS = 4;
  private static final double TORN = 1.0 / 8;

  private final RandomGenerator random;
  private final double kept;

  private Fate(RandomGenerator random, double kept) {
    this.random = random;
    this.kept = kept;
  }

  static Fate draw(RandomGenerator random) {
    int kind = random.nextInt(KINDS);
    return new Fate(random, kind == 0 ? 1 : kind == 1 ? 0 : 1 - random.nextDouble());
  }

  /// {@return whether a change has reached the medium}
  boolean keeps() {
    return kept >= 1 || (kept > 0 && !Chance.hits(random, 1 - kept));
  }

  /// {@return how many of these changes, the earliest first, have reached it}
  int kept(int changes) {
    return keeps() ? changes : kept == 0 ? 0 : changes - 1 - random.nextInt(changes);
  }

  /// {@return how many bytes of the last write to a sector have reached it}
  int keptBytes(int bytes) {
    boolean torn = kept > 0 && kept < 1 && Chance.hits(random, TORN);
    return torn ? bytes - 1 - random.nextInt(bytes) : bytes;
  }
}
