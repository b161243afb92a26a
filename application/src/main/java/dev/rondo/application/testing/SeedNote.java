package dev.rondo.application.testing;

/// The seed of a failed [RondoTest], suppressed in its failure so that the trace shows it.
public final class SeedNote extends Exception {

  private static final long serialVersionUID = 1L;

  /// The seed of the run.
  private final long seed;

  SeedNote(Plan plan) {
    super(plan.describe(), null, false, false);
    seed = plan.seed();
  }

  /// {@return the seed of the order of tasks and of the random numbers}
  long seed() {
    return seed;
  }
}
