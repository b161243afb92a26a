package dev.rondo.exploration;

import java.util.random.RandomGenerator;

/// Random numbers, each of them one choice in which zero is the simplest: zero, false, or the least
/// number of a range.
abstract class ChoiceGenerator implements RandomGenerator {

  private static final long INTS = 1L << Integer.SIZE;
  private static final int DOUBLE_BITS = 53;
  private static final int FLOAT_BITS = 24;

  ChoiceGenerator() {}

  /// Makes one choice.
  ///
  /// @param count as in [Chooser#choose]
  abstract long draw(long count);

  @Override
  public long nextLong() {
    return signed(draw(Chooser.ALL));
  }

  @Override
  public int nextInt() {
    return (int) signed(draw(INTS));
  }

  /// {@return 0, -1, 1, -2 ... for 0, 1, 2, 3 ...}
  private static long signed(long value) {
    return (value >>> 1) ^ -(value & 1);
  }

  @Override
  public boolean nextBoolean() {
    return draw(2) == 1;
  }

  @Override
  public double nextDouble() {
    return draw(1L << DOUBLE_BITS) * 0x1.0p-53;
  }

  @Override
  public float nextFloat() {
    return draw(1L << FLOAT_BITS) * 0x1.0p-24f;
  }

  @Override
  public int nextInt(int bound) {
    return (int) nextLong(bound);
  }

  @Override
  public int nextInt(int origin, int bound) {
    return (int) nextLong(origin, bound);
  }

  @Override
  public long nextLong(long bound) {
    if (bound <= 0) {
      throw new IllegalArgumentException("bound must be positive: bound=" + bound);
    }
    return draw(bound);
  }

  @Override
  public long nextLong(long origin, long bound) {
    if (origin >= bound) {
      throw new IllegalArgumentException(
          "origin must be less than bound: origin=%d, bound=%d".formatted(origin, bound));
    }
    return origin + draw(bound - origin);
  }
}
