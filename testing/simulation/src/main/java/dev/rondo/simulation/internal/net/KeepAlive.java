package dev.rondo.simulation.internal.net;

import java.util.function.BooleanSupplier;

/// `SO_KEEPALIVE` of a TCP connection: asks a silent peer whether it is there.
public final class KeepAlive {

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /// The defaults of Linux.
  private static final int DEFAULT_IDLE_SECONDS = 7_200;

  private static final int DEFAULT_INTERVAL_SECONDS = 75;
  private static final int DEFAULT_PROBES = 9;

  private final Timeline timeline;
  private final Runnable probe;
  private final Runnable giveUp;
  private final Timeline.Timer timer;

  private boolean wanted;
  private boolean begun;
  private long idleNanos = DEFAULT_IDLE_SECONDS * NANOS_PER_SECOND;
  private long intervalNanos = DEFAULT_INTERVAL_SECONDS * NANOS_PER_SECOND;
  private int mostProbes = DEFAULT_PROBES;

  private long heardAt;
  private int unanswered;

  /// @param peerGone whether the peer would not answer: else nothing would happen
  /// @param probe asks the peer
  /// @param giveUp the peer does not answer
  KeepAlive(Timeline timeline, BooleanSupplier peerGone, Runnable probe, Runnable giveUp) {
    this.timeline = timeline;
    this.probe = probe;
    this.giveUp = giveUp;
    this.timer = timeline.timer(this::expired, peerGone);
  }

  /// Sets `SO_KEEPALIVE`.
  ///
  /// @param on whether it asks
  public void enable(boolean on) {
    wanted = on;
    restart();
  }

  /// Sets `TCP_KEEPIDLE`.
  ///
  /// @param seconds of silence before the first question
  public void idle(int seconds) {
    idleNanos = seconds * NANOS_PER_SECOND;
    restart();
  }

  /// Sets `TCP_KEEPINTERVAL`.
  ///
  /// @param seconds between two questions
  public void interval(int seconds) {
    intervalNanos = seconds * NANOS_PER_SECOND;
  }

  /// Sets `TCP_KEEPCOUNT`.
  ///
  /// @param most how many questions may stay unanswered
  public void count(int most) {
    mostProbes = most;
  }

  /// The connection is established.
  void begin() {
    begun = true;
    heard();
    restart();
  }

  /// The peer has sent something.
  void heard() {
    heardAt = timeline.now();
    unanswered = 0;
  }

  private void restart() {
    if (wanted && begun) {
      timer.set(Math.max(0, heardAt + idleNanos - timeline.now()));
    } else {
      timer.cancel();
    }
  }

  private void expired() {
    if (unanswered == 0 && timeline.now() < heardAt + idleNanos) {
      restart();
    } else if (unanswered == mostProbes) {
      giveUp.run();
    } else {
      unanswered++;
      probe.run();
      timer.set(intervalNanos);
    }
  }

  void stop() {
    begun = false;
    timer.cancel();
  }
}
