package dev.rondo.simulation;

import static java.util.Objects.requireNonNull;

import dev.rondo.simulation.internal.net.Link;
import dev.rondo.simulation.internal.net.LinkSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The links between hosts of a [SimulatedNetwork]: one direction between two hosts, both, those
/// between two sets, or all. Its methods set how these treat what is sent from now on; packets
/// under way arrive as they were sent. The last setting holds.
///
/// A packet meets, in this order: [#cut()], [#hold()], the proxy, the queue and the bandwidth,
/// loss, duplication and latency. UDP loses, repeats and reorders datagrams accordingly. TCP sends
/// again what it misses, as Linux does: the program sees a delay, and a failure if the peer is
/// silent for 15 minutes, or for 127 s while it connects. A TCP packet has up to 64 KiB, see
/// [#splitting(double)].
///
/// Random decisions are drawn from the network's generator, see
/// [SimulatedNetwork#random(java.util.random.RandomGenerator)].
///
/// Confined to the network's thread.
public final class SimulatedLinks {

  private final SimulatedNetwork network;
  private final Supplier<Collection<Link>> links;
  private final Consumer<UnaryOperator<LinkSettings>> changes;

  SimulatedLinks(
      SimulatedNetwork network,
      Supplier<Collection<Link>> links,
      Consumer<UnaryOperator<LinkSettings>> changes) {
    this.network = network;
    this.links = links;
    this.changes = changes;
  }

  private SimulatedLinks change(UnaryOperator<LinkSettings> change) {
    network.checkThread();
    changes.accept(change);
    return this;
  }

  private SimulatedLinks forEach(Consumer<Link> action) {
    network.checkThread();
    links.get().forEach(action);
    return this;
  }

  // How packets travel.

  /// Sets how long a packet takes; 100 us by default.
  ///
  /// @param latency at least zero
  /// @return these links
  /// @throws IllegalArgumentException if it is negative
  public SimulatedLinks latency(Duration latency) {
    return latency(SimulatedLatency.constant(latency));
  }

  /// Sets how long a packet takes.
  ///
  /// @param latency from which each packet draws
  /// @return these links
  /// @throws IllegalStateException if it is random, and the network has no generator
  public SimulatedLinks latency(SimulatedLatency latency) {
    requireRandom(requireNonNull(latency, "latency is null").isRandom());
    return change(settings -> settings.latency(latency::draw));
  }

  /// Limits how many bytes are sent in a second, with 40 bytes of headers for TCP and 28 for UDP.
  /// Further bytes wait in a queue, see [#queue(long)]. Bytes that wait when this is called again
  /// are sent with the new bandwidth.
  ///
  /// @param bytesPerSecond more than zero; `Long.MAX_VALUE` for no limit
  /// @return these links
  /// @throws IllegalArgumentException if it is less
  public SimulatedLinks bandwidth(long bytesPerSecond) {
    require(bytesPerSecond > 0, "bandwidth must be more than zero: bandwidth=" + bytesPerSecond);
    return change(settings -> settings.bandwidth(bytesPerSecond));
  }

  /// Limits how many bytes wait to be sent if there is a bandwidth; more are lost. Without limit by
  /// default.
  ///
  /// @param bytes at least zero, with headers; a packet that finds nothing before it is sent in any
  ///   case
  /// @return these links
  /// @throws IllegalArgumentException if it is negative
  public SimulatedLinks queue(long bytes) {
    require(bytes >= 0, "queue must be at least zero: queue=" + bytes);
    return change(settings -> settings.queue(bytes));
  }

  /// Loses packets.
  ///
  /// @param part of the packets, from 0 to 1; 0 by default
  /// @return these links
  /// @throws IllegalArgumentException if it is not in that range
  /// @throws IllegalStateException if it is not 0, and the network has no generator
  public SimulatedLinks loss(double part) {
    requirePart("loss", part);
    return change(settings -> settings.loss(part));
  }

  /// Delivers packets twice, each copy with a latency of its own.
  ///
  /// @param part of the packets, from 0 to 1; 0 by default
  /// @return these links
  /// @throws IllegalArgumentException if it is not in that range
  /// @throws IllegalStateException if it is not 0, and the network has no generator
  public SimulatedLinks duplication(double part) {
    requirePart("duplication", part);
    return change(settings -> settings.duplication(part));
  }

  /// Splits what a program writes to a TCP connection: the peer receives the first bytes, and the
  /// others a round trip later. Without it a short write mostly arrives as a whole, and a program
  /// that takes what one `read` returns for a whole message seems to be right.
  ///
  /// @param part of the packets with data, from 0 to 1; 0 by default
  /// @return these links
  /// @throws IllegalArgumentException if it is not in that range
  /// @throws IllegalStateException if it is not 0, and the network has no generator
  public SimulatedLinks splitting(double part) {
    requirePart("splitting", part);
    return change(settings -> settings.splitting(part));
  }

  /// Shows each packet to a proxy.
  ///
  /// @param proxy null for none
  /// @return these links
  public SimulatedLinks proxy(@Nullable SimulatedProxy proxy) {
    return change(settings -> settings.proxy(proxy == null ? null : adapted(proxy)));
  }

  private static LinkSettings.Proxy adapted(SimulatedProxy proxy) {
    return packet ->
        proxy.passes(SimulatedPacket.of(packet)).stream()
            .mapToLong(delay -> SimulatedLatency.nanos("delay", delay))
            .toArray();
  }

  // Whether packets travel.

  /// Loses all packets until [#heal()].
  ///
  /// @return these links
  public SimulatedLinks cut() {
    return forEach(Link::cut);
  }

  /// Keeps all packets until [#heal()].
  ///
  /// @return these links
  public SimulatedLinks hold() {
    return forEach(Link::hold);
  }

  /// Ends [#cut()] and [#hold()]: sends the packets that were kept, in their order. Latencies,
  /// losses and the like stay.
  ///
  /// @return these links
  public SimulatedLinks heal() {
    return forEach(link -> {
      link.heal();
      link.release();
    });
  }

  // Faults that a test does not end by mistake. Each method returns what ends the fault.

  /// As [#cut()], but apart from it.
  Runnable block() {
    return during(Link::block, Link::unblock);
  }

  /// As [#hold()], but apart from it.
  Runnable stop() {
    return during(Link::stop, Link::proceed);
  }

  /// Changes the settings on top of those of the test.
  Runnable disturb(UnaryOperator<LinkSettings> disturbance) {
    return during(link -> link.disturb(disturbance), link -> link.calm(disturbance));
  }

  private Runnable during(Consumer<Link> begin, Consumer<Link> end) {
    network.checkThread();
    List<Link> chosen = List.copyOf(links.get());
    chosen.forEach(begin);
    return () -> chosen.forEach(end);
  }

  /// Whether packets get through all of them, apart from loss.
  boolean areOpen() {
    return links.get().stream().allMatch(Link::isOpen);
  }

  // Checks.

  private void requirePart(String name, double part) {
    require(part >= 0 && part <= 1, name + " must be from 0 to 1: " + name + "=" + part);
    requireRandom(part > 0);
  }

  private void requireRandom(boolean needed) {
    if (needed && !network.hasRandom()) {
      throw new IllegalStateException(
          "the network has nothing to draw from: call SimulatedNetwork.random(..) before");
    }
  }

  private static void require(boolean valid, String message) {
    if (!valid) {
      throw new IllegalArgumentException(message);
    }
  }
}
