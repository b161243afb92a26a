package dev.rondo.simulation.internal.disk;

import dev.rondo.simulation.internal.Chance;

/// Decides what of the unforced changes has reached the medium when the power fails. A quarter of
/// the failures lose nothing, a quarter lose all, the others lose each change with one probability.
/// What is drawn as 0 loses nothing.
final class Fate {

  private static final int KINDS = 4;
  private static final double TORN = 1.0 / 8;

  private final Chance chance;
  private final double kept;

  private Fate(Chance chance, double kept) {
    this.chance = chance;
    this.kept = kept;
  }

  static Fate draw(Chance chance) {
    int kind = chance.random().nextInt(KINDS);
    return new Fate(chance, kind == 0 ? 1 : kind == 1 ? 0 : 1 - chance.random().nextDouble());
  }

  /// {@return whether a change has reached the medium}
  boolean keeps() {
    return kept >= 1 || (kept > 0 && !chance.strikes(1 - kept));
  }

  /// {@return how many of these changes, the earliest first, have reached it}
  int kept(int changes) {
    return keeps() ? changes : kept == 0 ? 0 : changes - 1 - chance.random().nextInt(changes);
  }

  /// {@return how many bytes of the last write to a sector have reached it}
  int keptBytes(int bytes) {
    boolean torn = kept > 0 && kept < 1 && chance.strikes(TORN);
    return torn ? bytes - 1 - chance.random().nextInt(bytes) : bytes;
  }
}
