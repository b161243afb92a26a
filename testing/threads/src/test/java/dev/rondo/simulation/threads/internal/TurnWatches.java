package dev.rondo.simulation.threads.internal;

/// The watch of turns, for tests of other packages.
public final class TurnWatches {

  private TurnWatches() {}

  /// Looks at the turn that is under way until that has failed the run. Not of time.
  public static void lookUntilItFails() {
    var watch = new TurnWatch();
    while (watch.look() < TurnWatch.LOOKS) {
      Thread.onSpinWait();
    }
  }
}
