package dev.rondo.computicle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A lock that is held for a few instructions. A thread that does not get it spins. Neither user
/// code nor a wait runs under it.
///
/// A JDK lock cannot be used. A task of the BOUND backend runs on a virtual thread, which a
/// contended lock unmounts, and other tasks would run in the middle of the add-on's code.
final class SpinLock {

  /// A thread that has spun for so long yields its processor to the holder of the lock.
  private static final int SPINS = 1 << 10;

  private static final VarHandle LOCKED;

  static {
    try {
      LOCKED = MethodHandles.lookup().findVarHandle(SpinLock.class, "locked", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// Compare-and-set with acquire by any thread; set with release by the holder.
  private volatile boolean locked;

  void lock() {
    if (!LOCKED.compareAndSet(this, false, true)) {
      lockLater();
    }
  }

  private void lockLater() {
    int spins = 0;
    do {
      while (locked) {
        Thread.onSpinWait();
        if (++spins % SPINS == 0 && !Thread.currentThread().isVirtual()) {
          Thread.yield();
        }
      }
    } while (!LOCKED.compareAndSet(this, false, true));
  }

  void unlock() {
    LOCKED.setRelease(this, false);
  }
}
