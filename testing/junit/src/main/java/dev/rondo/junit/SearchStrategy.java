package dev.rondo.junit;

/// How a [RondoTest] with schedules looks for an order that fails.
public enum SearchStrategy {

  /// Each task that is ready is as likely to be next as any other.
  UNIFORM,

  /// Each task has a weight, drawn for each run: some are slow throughout it; see
  /// [dev.rondo.exploration.Strategy#weighted].
  WEIGHTED,

  /// Priorities by chance, which change at a few moments: finds what needs an order that is
  /// unlikely otherwise; see [dev.rondo.exploration.Strategy#pct].
  PCT,

  /// All orders, each once, those nearest to the usual one first; see
  /// [dev.rondo.exploration.Strategy#exhaustive].
  EXHAUSTIVE
}
