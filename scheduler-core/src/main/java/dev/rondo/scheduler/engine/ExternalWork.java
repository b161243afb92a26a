package dev.rondo.scheduler.engine;

import java.util.function.BooleanSupplier;

/// Counts what other threads may still do for a scheduler. While there is any such work, tasks that
/// nothing in the scheduler can wake are no deadlock.
///
/// Confined to the scheduler's thread.
final class ExternalWork {

  /// How many waits are for the work of other threads: completions, blocking calls.
  private int waits;

  /// How often the program has declared that other threads may call in.
  private int expectedCallers;

  /// Whether tasks wait until another thread asks for the shutdown; never if none is expected to.
  private BooleanSupplier shutdownIsAwaited = () -> false;

  private boolean expectsShutdown;

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

  /// @param isAwaited whether tasks wait for the shutdown
  void expectShutdown(BooleanSupplier isAwaited) {
    shutdownIsAwaited = isAwaited;
    expectsShutdown = true;
  }

  /// Whether another thread may ask for a shutdown.
  boolean expectsShutdown() {
    return expectsShutdown;
  }

  boolean isPossible() {
    return waits > 0 || expectedCallers > 0 || shutdownIsAwaited.getAsBoolean();
  }
}
