package dev.rondo.computicle;

import dev.rondo.scheduler.internal.WaitClaim;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The wait of a thread that no scheduler runs on: it blocks.
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
  /// @param nanos at most; if they are over, or the thread is interrupted, and no other thread has
  ///   promised anything, the wait ends
  /// @return the outcome; null if there is none
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
