package dev.rondo.simulation.threads.hook;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// The random numbers of a simulated program. Each method is called by the thread that has the
/// turn.
///
/// Each kind of generator has seeds of its own: the JDK draws some when it initialises a class,
/// once in the JVM.
public interface Chance {

  /// Fills an array.
  void randomBytes(byte[] bytes);

  /// {@return a number from 0, to less than 1}
  double random();

  /// {@return where generators of `RandomGenerator.of(..)` without a seed draw one}
  AtomicLong seeds();

  /// {@return where a `Random` without a seed draws one}
  AtomicLong seedsOfRandom();

  /// {@return where a `SplittableRandom` without a seed draws one}
  AtomicLong seedsOfSplittable();

  /// {@return where the generator of a thread draws its seed}
  AtomicLong seedsOfThreads();

  /// {@return what numbers threads that spread their contention}
  AtomicInteger probes();
}
