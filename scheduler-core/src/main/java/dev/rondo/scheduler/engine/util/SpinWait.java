package dev.rondo.scheduler.engine.util;

import java.util.concurrent.locks.LockSupport;

/// Waits until another thread has finished a few instructions. The waiting thread spins first. If
/// the other thread was preempted, it yields the processor, and at last it sleeps a little.
public final class SpinWait {

  /// About a microsecond.
  private static final int SPINS = 32;

  private static final int YIELDS = 32;
  private static final long SLEEP_NANOS = 50_000;

  private SpinWait() {}

  /// Waits a little, and longer with each try. On a virtual thread it only spins. If it gave way,
  /// other tasks would have turns in the middle of a call, and would see half a change. Spinning
  /// starves no carrier: the other thread does not block in those few instructions, so it has a
  /// carrier of its own.
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
