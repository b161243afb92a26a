package dev.rondo.benchmarks.run;

import java.util.Locale;
import java.util.SplittableRandom;

/// The speed of the machine at a moment. Virtual machines change their speed from hour to hour, and
/// figures of two moments can be compared only if the speeds are alike.
///
/// @param stepNanos a step of arithmetic that needs the result of the last step
/// @param missNanos a read from memory that misses the caches and needs the result of the last read
record MachineSpeed(double stepNanos, double missNanos) {

  private static final int ROUNDS = 5;
  private static final int STEPS = 20_000_000;
  private static final int READS = 1_000_000;

  /// The size of a ring in memory, in elements of four bytes: 64 MiB.
  private static final int PLACES = 1 << 24;

  private static final long FACTOR = 6_364_136_223_846_793_005L;

  /// Keeps the compiler from dropping the work.
  @SuppressWarnings("UnusedVariable")
  private static volatile long sink;

  /// Measures, for about a second: the best of some rounds.
  static MachineSpeed now() {
    int[] ring = ring();
    double step = Double.MAX_VALUE;
    double miss = Double.MAX_VALUE;
    for (int i = 0; i < ROUNDS; i++) {
      long begin = System.nanoTime();
      sink = steps();
      long middle = System.nanoTime();
      sink = reads(ring, i);
      step = Math.min(step, (double) (middle - begin) / STEPS);
      miss = Math.min(miss, (double) (System.nanoTime() - middle) / READS);
    }
    return new MachineSpeed(step, miss);
  }

  private static long steps() {
    long value = System.nanoTime();
    for (int i = 0; i < STEPS; i++) {
      value = value * FACTOR + i;
    }
    return value;
  }

  private static long reads(int[] ring, int from) {
    int place = from;
    for (int i = 0; i < READS; i++) {
      place = ring[place];
    }
    return place;
  }

  /// One cycle through all places in random order (S. Sattolo, 1986).
  private static int[] ring() {
    var ring = new int[PLACES];
    for (int i = 0; i < PLACES; i++) {
      ring[i] = i;
    }
    var random = new SplittableRandom(1);
    for (int i = PLACES - 1; i > 0; i--) {
      int k = random.nextInt(i);
      int kept = ring[i];
      ring[i] = ring[k];
      ring[k] = kept;
    }
    return ring;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "a step %.2f ns, a read from memory %.0f ns", stepNanos, missNanos);
  }
}
