package dev.rondo.simulation.threads.internal;

import dev.rondo.simulation.threads.hook.Chance;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
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
  private final AtomicLong seedsOfThreads;
  private final AtomicInteger probes;

  /// How many numbers were drawn of the generator.
  private long drawn;

  ProgramChance(long seed) {
    generator = new SplittableRandom(seed);
    seeds = new AtomicLong(generator.nextLong());
    seedsOfRandom = new AtomicLong(generator.nextLong());
    seedsOfSplittable = new AtomicLong(generator.nextLong());
    seedsOfThreads = new AtomicLong(generator.nextLong());
    probes = new AtomicInteger(generator.nextInt());
  }

  /// {@return what all of them are drawn from}
  RandomGenerator generator() {
    return generator;
  }

  /// {@return a number that follows from what was drawn}
  long digest() {
    return 31 * drawn
        + seeds.get()
        + seedsOfRandom.get()
        + seedsOfSplittable.get()
        + seedsOfThreads.get()
        + probes.get();
  }

  @Override
  public void randomBytes(byte[] bytes) {
    generator.nextBytes(bytes);
    drawn += bytes.length;
  }

  @Override
  public double random() {
    drawn++;
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

  @Override
  public AtomicLong seedsOfThreads() {
    return seedsOfThreads;
  }

  @Override
  public AtomicInteger probes() {
    return probes;
  }
}
