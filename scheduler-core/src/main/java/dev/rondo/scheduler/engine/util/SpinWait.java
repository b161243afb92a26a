package dev.rondo.scheduler.engine.util;

import java.util.concurrent.locks.LockSupport;

/// Waits until another thread has finished a few instructions. The waiting thread spins first. If
/// the other thread was preempted, the waiting thread yields the processor, and finally sleeps a
/// little.
public final class SpinWait {

  /// About a microsecond.
  private static final int SPINS = 32;

  private static final int YIELDS = 32;
  private static final long SLEEP_NANOS = 50_000;

  private SpinWait() {}

  /// Waits a little, and longer with each try. On a virtual thread this method only spins. If it
  /// gave way, other tasks would have turns in the middle of a call, and would see an incomplete
  /// change. Spinning does not starve the other thread: it does not block in those few
  /// instructions, so it has a carrier of its own.
  ///
  /// @param tries the number of tries so far
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
