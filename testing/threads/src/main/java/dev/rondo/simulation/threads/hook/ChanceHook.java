package dev.rondo.simulation.threads.hook;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// What rewritten code calls for random numbers: a simulated thread draws those of its program.
public final class ChanceHook {

  private ChanceHook() {}

  /// Fills an array.
  ///
  /// @return whether that is done; if not, the JDK does it
  public static boolean randomBytes(byte[] bytes) {
    Program own = Hook.current();
    if (own == null) {
      return false;
    }
    own.chance().randomBytes(bytes);
    return true;
  }

  /// {@return bytes to seed a generator with}
  ///
  /// @param real those that the JDK has drawn
  public static byte[] seedBytes(byte[] real) {
    boolean _ = randomBytes(real);
    return real;
  }

  /// {@return where generators of `RandomGenerator.of(..)` without a seed draw one}
  ///
  /// @param real that of the JDK
  public static AtomicLong seeds(AtomicLong real) {
    Program own = Hook.current();
    return own == null ? real : own.chance().seeds();
  }

  /// {@return where a `Random` without a seed draws one}
  ///
  /// @param real that of the JDK
  public static AtomicLong seedsOfRandom(AtomicLong real) {
    Program own = Hook.current();
    return own == null ? real : own.chance().seedsOfRandom();
  }

  /// {@return where a `SplittableRandom` without a seed draws one}
  ///
  /// @param real that of the JDK
  public static AtomicLong seedsOfSplittable(AtomicLong real) {
    Program own = Hook.current();
    return own == null ? real : own.chance().seedsOfSplittable();
  }

  /// {@return where the generator of a thread draws its seed}
  ///
  /// @param real that of the JDK
  public static AtomicLong seedsOfThreads(AtomicLong real) {
    Program own = Hook.current();
    return own == null ? real : own.chance().seedsOfThreads();
  }

  /// {@return what numbers threads that spread their contention}
  ///
  /// @param real that of the JDK
  public static AtomicInteger probes(AtomicInteger real) {
    Program own = Hook.current();
    return own == null ? real : own.chance().probes();
  }

  /// {@return the thread that keeps such a number} The JDK has virtual threads share that of their
  /// carrier, which is the thread of the test.
  ///
  /// @param real that of the JDK
  public static Thread carrier(Thread real) {
    return Hook.current() == null ? real : Thread.currentThread();
  }

  /// {@return what `Math.random()` does}
  public static double random() {
    Program own = Hook.current();
    return own == null ? Math.random() : own.chance().random();
  }
}
