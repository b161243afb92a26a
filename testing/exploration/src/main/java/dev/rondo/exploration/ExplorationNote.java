package dev.rondo.exploration;

/// How a failure was found, suppressed in it so that its trace shows it: the strategy, the run, the
/// choices, and the replay.
public final class ExplorationNote extends Exception {

  private static final long serialVersionUID = 1L;

  ExplorationNote(String text) {
    super(text, null, false, false);
  }
}
