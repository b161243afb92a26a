package dev.rondo.simulation.internal.net;

import dev.rondo.simulation.internal.Chance;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/// One direction between two hosts.
public final class Link {

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final Timeline timeline;
  private final Host to;
  private final Supplier<RandomGenerator> random;
  private final Deque<Packet> kept = new ArrayDeque<>();

  private LinkSettings settings;
  private boolean cut;
  private int blocks;
  private boolean held;

  /// When all that waits to be sent has been sent.
  private long freeAt;

  /// @param random what it draws from
  Link(Timeline timeline, Host to, LinkSettings settings, Supplier<RandomGenerator> random) {
    this.timeline = timeline;
    this.to = to;
    this.settings = settings;
    this.random = random;
  }

  /// Changes how it treats packets from now on.
  ///
  /// @param change of the settings
  public void change(UnaryOperator<LinkSettings> change) {
    settings = change.apply(settings);
  }

  /// Loses all packets from now on.
  public void cut() {
    cut = true;
  }

  /// Loses packets no longer because of [#cut()].
  public void heal() {
    cut = false;
  }

  /// Loses all packets until [#unblock()], whatever [#heal()] does. Counted: each block has its
  /// end.
  public void block() {
    blocks++;
  }

  /// Ends one [#block()].
  public void unblock() {
    blocks--;
  }

  /// Keeps the packets from now on.
  public void hold() {
    held = true;
  }

  /// Sends what was kept, and keeps no more.
  public void release() {
    held = false;
    while (!held && !kept.isEmpty()) {
      send(kept.remove());
    }
  }

  /// {@return whether packets get through, apart from loss}
  public boolean isOpen() {
    return !isCut() && !held;
  }

  private boolean isCut() {
    return cut || blocks > 0;
  }

  void send(Packet packet) {
    if (isCut()) {
      packet.loss().accept("the link is cut");
      return;
    }
    if (held) {
      kept.add(packet);
      return;
    }
    LinkSettings.Proxy proxy = settings.proxy();
    if (proxy == null) {
      enqueue(packet);
      return;
    }
    long[] delays = proxy.delays(packet);
    if (delays.length == 0) {
      packet.loss().accept("dropped by the proxy");
    }
    for (long delay : delays) {
      if (delay == 0) {
        enqueue(packet);
      } else {
        timeline.after(delay, () -> enqueue(packet));
      }
    }
  }

  private void enqueue(Packet packet) {
    long wait = 0;
    if (settings.bytesPerSecond() != LinkSettings.UNLIMITED) {
      long now = timeline.now();
      long backlog = Math.max(0, freeAt - now);
      if (backlog > 0 && bytesIn(backlog) + packet.length() > settings.queueBytes()) {
        packet.loss().accept("the queue of the link is full");
        return;
      }
      wait = backlog + nanosFor(packet.length());
      freeAt = now + wait;
    }
    if (isDrawn(settings.loss())) {
      packet.loss().accept("lost on the link");
      return;
    }
    arrive(packet, wait);
    if (isDrawn(settings.duplication())) {
      arrive(packet, wait);
    }
  }

  private double bytesIn(long nanos) {
    return (double) nanos / NANOS_PER_SECOND * settings.bytesPerSecond();
  }

  private long nanosFor(long bytes) {
    return Math.ceilDiv(bytes * NANOS_PER_SECOND, settings.bytesPerSecond());
  }

  private boolean isDrawn(double part) {
    return part > 0 && Chance.hits(random.get(), part);
  }

  private void arrive(Packet packet, long wait) {
    long latency = settings.latencyNanos().draw(random);
    long most = settings.jitterNanos();
    long jitter = most == 0 ? 0 : random.get().nextLong(most + 1);
    timeline.after(wait + latency + jitter, () -> to.arrived(packet));
  }
}
