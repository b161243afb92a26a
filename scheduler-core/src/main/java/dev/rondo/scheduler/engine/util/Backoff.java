package dev.rondo.scheduler.engine.util;

import java.util.concurrent.locks.LockSupport;

/// How a thread waits for another to finish a few instructions: it spins, for that is all it takes,
/// unless the other was preempted; then it leaves it the processor, and at last sleeps a little.
public final class Backoff {

  /// About a microsecond.
  private static final int SPINS = 32;

  private static final int YIELDS = 32;
  private static final long SLEEP_NANOS = 50_000;

  private Backoff() {}

  /// Waits a little, and longer with each try. On a virtual thread it only spins: what a task
  /// changes in the middle of a call must not be seen by others, which would have their turns. No
  /// carrier is starved by that: the other thread does not block in those few instructions, so it
  /// has a carrier of its own, and the system gives it a processor within a time slice.
  ///
  /// @param tries so far
  public static void pause(int tries) {
    if (tries <= SPINS || Thread.currentThread().isVirtual()) {
      Thread.onSpinWait();
    } else if (tries <= SPINS + YIELDS) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(SLEEP_NANOS);
    }
  }
}
