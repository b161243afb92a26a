package dev.rondo.simulation.internal.net;

import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// How one direction of a link treats packets.
///
/// @param latencyNanos draws how long a packet takes
/// @param jitterNanos the most that is added to that
/// @param bytesPerSecond [#UNLIMITED] or more than zero
/// @param queueBytes how many bytes may wait to be sent
/// @param loss the part of the packets that is lost
/// @param duplication the part of the packets that arrives twice
/// @param splitting the part of the TCP packets with data that is sent in two
/// @param proxy what the packets pass; null for none
public record LinkSettings(
    Latency latencyNanos,
    long jitterNanos,
    long bytesPerSecond,
    long queueBytes,
    double loss,
    double duplication,
    double splitting,
    @Nullable Proxy proxy) {

  /// Draws how long packets take.
  @FunctionalInterface
  public interface Latency {

    /// {@return how many nanoseconds a packet takes}
    ///
    /// @param random what it may draw from
    long draw(Supplier<RandomGenerator> random);
  }

  /// Decides about packets.
  @FunctionalInterface
  public interface Proxy {

    /// {@return for each copy of a packet to send, how many nanoseconds it waits before}
    ///
    /// @param packet which one
    long[] delays(Packet packet);
  }

  /// Of the bandwidth and of the queue.
  public static final long UNLIMITED = Long.MAX_VALUE;

  /// {@return settings of a link without faults}
  ///
  /// @param latency how long a packet takes
  public static LinkSettings of(long latency) {
    return new LinkSettings(_ -> latency, 0, UNLIMITED, UNLIMITED, 0, 0, 0, null);
  }

  /// {@return these with another latency}
  ///
  /// @param drawn draws how long a packet takes, in nanoseconds
  public LinkSettings latency(Latency drawn) {
    return new LinkSettings(
        drawn, jitterNanos, bytesPerSecond, queueBytes, loss, duplication, splitting, proxy);
  }

  /// {@return these with another jitter}
  ///
  /// @param most added to the latency
  public LinkSettings jitter(long most) {
    return new LinkSettings(
        latencyNanos, most, bytesPerSecond, queueBytes, loss, duplication, splitting, proxy);
  }

  /// {@return these with another bandwidth}
  ///
  /// @param bytes in a second
  public LinkSettings bandwidth(long bytes) {
    return new LinkSettings(
        latencyNanos, jitterNanos, bytes, queueBytes, loss, duplication, splitting, proxy);
  }

  /// {@return these with another queue}
  ///
  /// @param bytes that may wait
  public LinkSettings queue(long bytes) {
    return new LinkSettings(
        latencyNanos, jitterNanos, bytesPerSecond, bytes, loss, duplication, splitting, proxy);
  }

  /// {@return these with another loss}
  ///
  /// @param part from 0 to 1
  public LinkSettings loss(double part) {
    return new LinkSettings(
        latencyNanos, jitterNanos, bytesPerSecond, queueBytes, part, duplication, splitting, proxy);
  }

  /// {@return these with another duplication}
  ///
  /// @param part from 0 to 1
  public LinkSettings duplication(double part) {
    return new LinkSettings(
        latencyNanos, jitterNanos, bytesPerSecond, queueBytes, loss, part, splitting, proxy);
  }

  /// {@return these with another splitting}
  ///
  /// @param part from 0 to 1
  public LinkSettings splitting(double part) {
    return new LinkSettings(
        latencyNanos, jitterNanos, bytesPerSecond, queueBytes, loss, duplication, part, proxy);
  }

  /// {@return these with another proxy}
  ///
  /// @param other null for none
  public LinkSettings proxy(@Nullable Proxy other) {
    return new LinkSettings(
        latencyNanos, jitterNanos, bytesPerSecond, queueBytes, loss, duplication, splitting, other);
  }
}
