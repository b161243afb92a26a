package dev.rondo.benchmarks;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/// Counts the turns of a ring that runs by itself, on a thread that only it knows: whoever measures
/// waits until so many turns are over. Making the ring is not part of what is measured then.
final class FreeRing {
  private final AtomicLong turns = new AtomicLong();
  private final Semaphore reached = new Semaphore(0);
  private volatile long target = Long.MAX_VALUE;

  /// One turn; called on the ring's thread.
  void turn() {
    long now = turns.getOpaque() + 1;
    turns.setOpaque(now);
    if (now >= target) {
      target = Long.MAX_VALUE;
      reached.release();
    }
  }

  /// Waits for so many turns.
  void await(int more) throws InterruptedException {
    target = turns.getOpaque() + more;
    reached.acquire();
  }
}
