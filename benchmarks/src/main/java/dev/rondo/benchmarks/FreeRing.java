package dev.rondo.benchmarks;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/// Counts the turns of a ring that runs on its own thread. The measuring thread waits for a number
/// of turns, so the set-up of the ring is not measured.
final class FreeRing {
  private final AtomicLong turns = new AtomicLong();
  private final Semaphore reached = new Semaphore(0);
  private volatile long target = Long.MAX_VALUE;

  /// Counts a turn; called on the ring's thread.
  void turn() {
    long now = turns.getOpaque() + 1;
    turns.setOpaque(now);
    if (now >= target) {
      target = Long.MAX_VALUE;
      reached.release();
    }
  }

  /// Waits for a number of turns.
  void await(int more) throws InterruptedException {
    target = turns.getOpaque() + more;
    reached.acquire();
  }
}
