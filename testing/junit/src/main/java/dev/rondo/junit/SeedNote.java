package dev.rondo.junit;

/// The seed of a failed [RondoTest], and how to repeat it, suppressed in its failure so that the
/// trace shows it.
public final class SeedNote extends Exception {

  private static final long serialVersionUID = 1L;

  /// The seed of the run.
  private final long seed;

  SeedNote(long seed, String text) {
    super(text, null, false, false);
    this.seed = seed;
  }

  /// {@return the seed of the order of tasks and of the random numbers}
  long seed() {
    return seed;
  }
}
