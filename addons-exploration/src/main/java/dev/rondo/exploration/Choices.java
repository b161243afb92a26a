package dev.rondo.exploration;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// The choices of one run, in one sequence: which task is next, which host, how long a message
/// takes, which fault happens, and every random number. A run is its sequence of choices.
///
/// An instance belongs to one run, and is used by one thread at a time.
public final class Choices implements RandomGenerator {

  private final RandomGenerator random;

  private Choices(RandomGenerator random) {
    this.random = random;
  }

  /// {@return choices that are drawn uniformly}
  ///
  /// @param seed the same seed makes the same choices
  public static Choices random(long seed) {
    return new Choices(new SplittableRandom(seed));
  }

  /// Makes the next choice.
  ///
  /// @param count how many there are, at least 1
  /// @return from 0 to `count - 1`
  /// @throws IllegalArgumentException if the count is less than 1; no choice is made
  public int choose(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1: count=" + count);
    }
    return count == 1 ? 0 : random.nextInt(count);
  }

  @Override
  public long nextLong() {
    return random.nextLong();
  }
}
