package dev.rondo.application.testing;

/// What a failed [RondoTest] was run with, suppressed in its failure: the trace shows it.
public final class SeedNote extends Exception {

  private static final long serialVersionUID = 1L;

  /// What the run was made of.
  private final long seed;

  SeedNote(Plan plan) {
    super(plan.describe(), null, false, false);
    seed = plan.seed();
  }

  /// {@return what the order of tasks, and the random numbers, came from}
  public long seed() {
    return seed;
  }
}
