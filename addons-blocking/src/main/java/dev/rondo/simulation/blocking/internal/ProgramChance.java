package dev.rondo.simulation.blocking.internal;

import dev.rondo.simulation.blocking.hook.Chance;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/// The random numbers of one process, which follow from a seed.
///
/// Confined to the world's thread and the threads that it carries.
final class ProgramChance implements Chance {

  private final SplittableRandom generator;
  private final AtomicLong seeds;
  private final AtomicLong seedsOfRandom;
  private final AtomicLong seedsOfSplittable;

  ProgramChance(long seed) {
    generator = new SplittableRandom(seed);
    seeds = new AtomicLong(generator.nextLong());
    seedsOfRandom = new AtomicLong(generator.nextLong());
    seedsOfSplittable = new AtomicLong(generator.nextLong());
  }

  /// {@return what all of them are drawn from}
  RandomGenerator generator() {
    return generator;
  }

  @Override
  public void randomBytes(byte[] bytes) {
    generator.nextBytes(bytes);
  }

  @Override
  public double random() {
    return generator.nextDouble();
  }

  @Override
  public AtomicLong seeds() {
    return seeds;
  }

  @Override
  public AtomicLong seedsOfRandom() {
    return seedsOfRandom;
  }

  @Override
  public AtomicLong seedsOfSplittable() {
    return seedsOfSplittable;
  }
}
