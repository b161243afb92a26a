package dev.rondo.scheduler.engine;

/// What other threads may still do for a scheduler: while there is any, tasks that nothing here can
/// wake are no deadlock.
///
/// Confined to the scheduler's thread.
final class ExternalWork {

  /// How many waits are for what other threads do: completions, blocking calls.
  private int waits;

  /// How many have declared that other threads may call in.
  private int expectedCallers;

  void waitBegun() {
    waits++;
  }

  void waitEnded() {
    waits--;
  }

  int waits() {
    return waits;
  }

  void expectCaller() {
    expectedCallers++;
  }

  void expectCallerNoMore() {
    expectedCallers--;
  }

  boolean isPossible() {
    return waits > 0 || expectedCallers > 0;
  }
}
