package dev.rondo.simulation.internal.net;

import dev.rondo.simulation.internal.Chance;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// One direction between two hosts.
public final class Link {

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final Timeline timeline;
  private final Supplier<Chance> chance;
  private final Supplier<RandomGenerator> random;
  private final Deque<Packet> kept = new ArrayDeque<>();

  /// Without the disturbances.
  private LinkSettings undisturbed;

  /// In force.
  private LinkSettings settings;

  private final List<UnaryOperator<LinkSettings>> disturbances = new ArrayList<>();
  private boolean cut;
  private int blocks;
  private boolean held;
  private int stops;

  /// The packets that wait for bandwidth. The first packet is being sent, until `sentAt`.
  private final Deque<Packet> queue = new ArrayDeque<>();

  private long queuedBytes;
  private long sentAt;

  /// The end of sending the first packet; null if none waits.
  private Timeline.@Nullable Event sending;

  /// @param chance what it draws from
  Link(Timeline timeline, LinkSettings settings, Supplier<Chance> chance) {
    this.timeline = timeline;
    this.undisturbed = settings;
    this.settings = settings;
    this.chance = chance;
    this.random = () -> chance.get().random();
  }

  /// Changes how it treats packets from now on.
  ///
  /// @param change of the settings
  public void change(UnaryOperator<LinkSettings> change) {
    undisturbed = change.apply(undisturbed);
    applyDisturbances();
  }

  /// Changes how it treats packets until [#calm(UnaryOperator)], whatever [#change(UnaryOperator)]
  /// does.
  ///
  /// @param disturbance of the settings
  public void disturb(UnaryOperator<LinkSettings> disturbance) {
    disturbances.add(disturbance);
    applyDisturbances();
  }

  /// Ends a disturbance.
  ///
  /// @param disturbance as it was given to [#disturb(UnaryOperator)]
  public void calm(UnaryOperator<LinkSettings> disturbance) {
    disturbances.remove(disturbance);
    applyDisturbances();
  }

  private void applyDisturbances() {
    double left = bytesLeft();
    long before = settings.bytesPerSecond();
    settings = undisturbed;
    for (UnaryOperator<LinkSettings> each : disturbances) {
      settings = each.apply(settings);
    }
    if (sending != null && settings.bytesPerSecond() != before) {
      sending.cancel();
      sendFirst(left);
    }
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
    sendKept();
  }

  /// Keeps the packets until [#proceed()], whatever [#release()] does. Counted: each stop has its
  /// end.
  public void stop() {
    stops++;
  }

  /// Ends one [#stop()].
  public void proceed() {
    stops--;
    sendKept();
  }

  private void sendKept() {
    while (!isHeld() && !kept.isEmpty()) {
      send(kept.remove());
    }
  }

  /// {@return whether packets get through, apart from loss}
  public boolean isOpen() {
    return !isCut() && !isHeld();
  }

  private boolean isHeld() {
    return held || stops > 0;
  }

  private boolean isCut() {
    return cut || blocks > 0;
  }

  void send(Packet packet) {
    if (isCut()) {
      packet.lost("the link is cut");
      return;
    }
    if (isHeld()) {
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
      packet.lost("dropped by the proxy");
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
    if (queue.isEmpty() && !isLimited()) {
      depart(packet);
      return;
    }
    if (sending != null) {
      double waiting = queuedBytes - queue.getFirst().length() + bytesLeft();
      if (waiting + packet.length() > settings.queueBytes()) {
        packet.lost("the queue of the link is full");
        return;
      }
    }
    queue.add(packet);
    queuedBytes += packet.length();
    if (sending == null) {
      sendFirst((double) packet.length());
    }
  }

  private boolean isLimited() {
    return settings.bytesPerSecond() != LinkSettings.UNLIMITED;
  }

  /// {@return how much of the first packet has not been sent yet}
  private double bytesLeft() {
    long nanos = sending == null ? 0 : sentAt - timeline.now();
    return (double) nanos / NANOS_PER_SECOND * settings.bytesPerSecond();
  }

  /// @param bytes how much of the first packet has not been sent yet
  private void sendFirst(double bytes) {
    long nanos =
        isLimited() ? (long) Math.ceil(bytes * NANOS_PER_SECOND / settings.bytesPerSecond()) : 0;
    sentAt = timeline.now() + nanos;
    sending = timeline.after(nanos, this::firstSent);
  }

  private void firstSent() {
    sending = null;
    Packet packet = queue.remove();
    queuedBytes -= packet.length();
    if (!queue.isEmpty()) {
      sendFirst((double) queue.getFirst().length());
    }
    depart(packet);
  }

  /// Sends a packet that waits no longer.
  private void depart(Packet packet) {
    if (isDrawn(settings.loss())) {
      packet.lost("lost on the link");
      return;
    }
    arrive(packet);
    if (isDrawn(settings.duplication())) {
      arrive(packet);
    }
  }

  /// Draws how many bytes of a stream a packet takes.
  ///
  /// @param most at least 1
  /// @return all of them, or some
  int bytesOfPacket(int most) {
    return most > 1 && isDrawn(settings.splitting()) ? 1 + random.get().nextInt(most - 1) : most;
  }

  private boolean isDrawn(double part) {
    return part > 0 && chance.get().strikes(part);
  }

  private void arrive(Packet packet) {
    long latency = settings.latencyNanos().draw(random);
    long most = settings.jitterNanos();
    long jitter = most == 0 ? 0 : random.get().nextLong(most + 1);
    timeline.after(latency + jitter, packet);
  }
}
