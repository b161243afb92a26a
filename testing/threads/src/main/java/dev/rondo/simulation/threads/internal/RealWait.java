package dev.rondo.simulation.threads.internal;

import dev.rondo.simulation.threads.hook.Hook;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits, in real time, until the JDK has unblocked a thread.
///
/// The thread of the JDK that does so needs a processor, so the world's thread sleeps unless that
/// takes no longer than a few microseconds. With more threads than processors it would only be in
/// the way.
///
/// Confined to the world's thread.
final class RealWait {

  /// How often it looks before it sleeps: about as long as it takes to sleep and be woken.
  private static final int SPINS = 200;

  /// How long it sleeps, unless a thread is unblocked, before it looks again.
  private static final long SLEEP_NANOS = 1_000_000;

  private RealWait() {}

  /// Waits until something is so.
  ///
  /// @param over becomes true at the latest when a thread is unblocked, or soon after
  static void until(BooleanSupplier over) {
    for (int i = 0; i < SPINS; i++) {
      if (over.getAsBoolean()) {
        return;
      }
      Thread.onSpinWait();
    }
    while (!sleep(over)) {
      // it looks again
    }
  }

  /// Sleeps a millisecond, or until a thread is unblocked.
  ///
  /// @return whether something is so
  static boolean sleep(BooleanSupplier over) {
    Hook.sleeper(Thread.currentThread());
    try {
      if (!over.getAsBoolean()) {
        LockSupport.parkNanos(SLEEP_NANOS);
      }
    } finally {
      Hook.sleeper(null);
    }
    return over.getAsBoolean();
  }
}
