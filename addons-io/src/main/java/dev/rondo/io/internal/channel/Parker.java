package dev.rondo.io.internal.channel;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Parks the loop's thread where a selector is of no use, and remembers a wakeup that comes before
/// the thread blocks.
///
/// Confined to the scheduler's thread, except [#wakeup()].
final class Parker {

  /// Parks without a limit.
  static final long FOREVER = Long.MAX_VALUE;

  /// Set by any thread, before it reads `parked`; cleared by the loop.
  private volatile boolean woken;

  /// The loop's thread while it parks. Written by the loop, before it reads `woken`; read by the
  /// threads that wake it. So either the loop sees the wakeup or the other thread sees which thread
  /// to unpark.
  private volatile @Nullable Thread parked;

  /// Parks until a wakeup, or for a time. Returns at once if a wakeup came before.
  ///
  /// @param nanos how long at most; does not park if it is not more than zero
  void park(long nanos) {
    parked = Thread.currentThread();
    if (!woken && nanos > 0) {
      if (nanos == FOREVER) {
        LockSupport.park(this);
      } else {
        LockSupport.parkNanos(this, nanos);
      }
    }
    parked = null;
    woken = false;
  }

  /// Ends the current park; if there is none, the wakeup is remembered. Any thread.
  ///
  /// @return whether the loop is parked; if not, it may block in a selector
  boolean wakeup() {
    woken = true;
    Thread loop = parked;
    if (loop == null) {
      return false;
    }
    LockSupport.unpark(loop);
    return true;
  }

  boolean isWoken() {
    return woken;
  }

  /// Forgets a wakeup, which has had its effect.
  void clear() {
    woken = false;
  }
}
