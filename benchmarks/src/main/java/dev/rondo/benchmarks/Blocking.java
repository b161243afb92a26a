package dev.rondo.benchmarks;

/// Something that blocks a thread.
@FunctionalInterface
interface Blocking {
  void run() throws InterruptedException;

  /// Starts a virtual thread that does it so many times.
  static Thread start(int times, Blocking operation) {
    return Thread.startVirtualThread(() -> {
      try {
        for (int i = 0; i < times; i++) {
          operation.run();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // nobody does
      }
    });
  }
}
