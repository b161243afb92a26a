package dev.rondo.exploration;

import java.util.SplittableRandom;

/// Probabilistic concurrency testing, see [Strategy#pct].
final class PctSearch implements Search {

  /// How many choices of tasks the first run is expected to make.
  private static final int GUESS = 50;

  private final SplittableRandom seeds;
  private final int depth;
  private int steps = GUESS;
  private boolean measured;

  PctSearch(long seed, int depth) {
    this.seeds = new SplittableRandom(seed);
    this.depth = depth;
  }

  @Override
  public Choices next() {
    long seed = seeds.nextLong();
    return new Choices(
        new PctChooser(seed, depth, steps),
        "PCT of depth %d, %d steps, seed %d".formatted(depth, steps, seed));
  }

  @Override
  public void ended(ChoiceSequence sequence) {
    int made = 0;
    for (int i = 0; i < sequence.size(); i++) {
      made += sequence.kind(i).isOrder() ? 1 : 0;
    }
    steps = Math.max(1, measured ? Math.max(steps, made) : made);
    measured = true;
  }
}
