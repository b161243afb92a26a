package dev.rondo.computicle;

import dev.rondo.scheduler.internal.rooms.WaitClaim;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The wait of a thread without a scheduler, which blocks.
final class ThreadParty extends Party {

  private static final long FOREVER = Long.MAX_VALUE;

  private final Thread thread = Thread.currentThread();
  private volatile @Nullable Object outcome;

  ThreadParty(@Nullable Object element) {
    super(new WaitClaim(), element);
  }

  @Override
  void settle(Object result) {
    outcome = result;
    LockSupport.unpark(thread);
  }

  /// Blocks until the wait was settled.
  ///
  /// @param nanos the longest wait; the wait also ends when the thread is interrupted, unless
  ///   another thread has promised an outcome
  /// @return the outcome; null for none
  @Nullable Object await(long nanos) {
    long begin = System.nanoTime();
    boolean interrupted = false;
    boolean over = false;
    Object result;
    while ((result = outcome) == null) {
      long left = nanos == FOREVER ? FOREVER : nanos - (System.nanoTime() - begin);
      interrupted |= Thread.interrupted();
      if (!over && (interrupted || left <= 0)) {
        over = true;
        if (claim.tryTake()) {
          break;
        }
      }
      if (over || left == FOREVER) {
        LockSupport.park(this);
      } else {
        LockSupport.parkNanos(this, left);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return result;
  }
}
