package dev.rondo.benchmarks;

/// An action that blocks its thread.
@FunctionalInterface
public interface Blocking {
  void run() throws InterruptedException;

  /// Starts a virtual thread that runs the action a number of times.
  static Thread start(int times, Blocking operation) {
    return Thread.startVirtualThread(() -> {
      try {
        for (int i = 0; i < times; i++) {
          operation.run();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // does not happen
      }
    });
  }
}
