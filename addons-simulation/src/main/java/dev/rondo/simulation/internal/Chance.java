package dev.rondo.simulation.internal;

import java.util.random.RandomGenerator;

/// Draws whether something happens.
public final class Chance {

  private Chance() {}

  /// {@return whether something that is not normal happens} What is drawn as 0 says no.
  ///
  /// @param random draws
  /// @param part in how many of all cases it happens, from 0 to 1; nothing is drawn for 0
  public static boolean hits(RandomGenerator random, double part) {
    return part > 0 && random.nextDouble() >= 1 - part;
  }
}
