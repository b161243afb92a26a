package dev.rondo.simulation;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;

/// How long packets take on a [SimulatedLinks]: a constant, or a distribution from which each
/// packet draws. Immutable.
public final class SimulatedLatency {

  private final String text;
  private final boolean random;
  private final ToLongFunction<Supplier<RandomGenerator>> drawn;

  private SimulatedLatency(
      String text, boolean random, ToLongFunction<Supplier<RandomGenerator>> drawn) {
    this.text = text;
    this.random = random;
    this.drawn = drawn;
  }

  private static SimulatedLatency drawn(String text, ToLongFunction<RandomGenerator> nanos) {
    return new SimulatedLatency(text, true, random -> Math.max(0, nanos.applyAsLong(random.get())));
  }

  /// {@return the same for each packet}
  ///
  /// @param latency at least zero
  /// @throws IllegalArgumentException if it is negative
  static SimulatedLatency constant(Duration latency) {
    long nanos = nanos("latency", latency);
    return new SimulatedLatency("constant " + latency, false, _ -> nanos);
  }

  /// {@return each latency of a range, all as often}
  ///
  /// @param least at least zero
  /// @param most at least the least
  /// @throws IllegalArgumentException if a bound is negative, or the least exceeds the most
  public static SimulatedLatency uniform(Duration least, Duration most) {
    long from = nanos("least", least);
    long to = nanos("most", most);
    if (from > to) {
      throw new IllegalArgumentException(
          "least must not exceed most: least=%s, most=%s".formatted(least, most));
    }
    return drawn("uniform from " + least + " to " + most, random -> random.nextLong(from, to + 1));
  }

  /// {@return a normal distribution} What it draws below zero counts as zero.
  ///
  /// @param mean at least zero
  /// @param deviation the standard deviation, at least zero
  /// @throws IllegalArgumentException if one is negative
  public static SimulatedLatency normal(Duration mean, Duration deviation) {
    long center = nanos("mean", mean);
    long width = nanos("deviation", deviation);
    return drawn(
        "normal " + mean + " +- " + deviation,
        random -> Math.round(random.nextGaussian((double) center, (double) width)));
  }

  /// {@return an exponential distribution on top of a least latency: most packets are quick, a few
  /// take very long}
  ///
  /// @param least at least zero
  /// @param mean of what is added, at least zero
  /// @throws IllegalArgumentException if one is negative
  public static SimulatedLatency exponential(Duration least, Duration mean) {
    long from = nanos("least", least);
    long added = nanos("mean", mean);
    return drawn(
        "exponential from " + least + " with " + mean,
        random -> from + Math.round(random.nextExponential() * added));
  }

  static long nanos(String name, Duration duration) {
    if (requireNonNull(duration, () -> name + " is null").isNegative()) {
      throw new IllegalArgumentException(name + " must be at least zero: " + name + "=" + duration);
    }
    return duration.toNanos();
  }

  boolean isRandom() {
    return random;
  }

  long draw(Supplier<RandomGenerator> generator) {
    return drawn.applyAsLong(generator);
  }

  @Override
  public String toString() {
    return text;
  }
}
