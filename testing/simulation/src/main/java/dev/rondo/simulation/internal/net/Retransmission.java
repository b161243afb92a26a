package dev.rondo.simulation.internal.net;

import java.util.function.BooleanSupplier;

/// When a TCP connection sends again what the peer has not acknowledged, and when it gives up (RFC
/// 6298, with the numbers of Linux).
final class Retransmission {

  /// The round trip was not measured.
  static final long UNKNOWN = -1;

  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  private static final long FIRST_TIMEOUT = SECOND;
  private static final long LONGEST_TIMEOUT = 120 * SECOND;
  private static final int MOST_DOUBLINGS = 16;

  /// The least difference between the timeout and the round trip.
  private static final long LEAST_DEVIATION = 200 * MILLI;

  /// How long the peer may be silent: what 15 attempts take (`tcp_retries2`), and 8 if the program
  /// has closed the socket (`tcp_orphan_retries`).
  private static final long PATIENCE = 924_600 * MILLI;

  private static final long ORPHAN_PATIENCE = 102_200 * MILLI;

  private final Timeline timeline;
  private final Runnable resend;
  private final Runnable giveUp;
  private final Timeline.Timer timer;
  private final Timeline.Timer probeTimer;

  private long timeout = FIRST_TIMEOUT;
  private long roundTrip = UNKNOWN;
  private long deviation;

  /// How often something was sent again, for the back-off.
  private int attempts;

  /// When what is sent again was sent first, or [#UNKNOWN] if the peer has answered since.
  private long silentSince = UNKNOWN;

  /// After how many attempts it gives up; negative if time decides.
  private int retries;

  private long patience = PATIENCE;

  /// @param resend sends the first piece that was not acknowledged
  /// @param probeMatters whether asking for the peer's window has an effect
  /// @param giveUp the peer does not answer
  Retransmission(
      Timeline timeline, Runnable resend, BooleanSupplier probeMatters, Runnable giveUp) {
    this.timeline = timeline;
    this.resend = resend;
    this.giveUp = giveUp;
    this.timer = timeline.timer(this::resendTimeout);
    this.probeTimer = timeline.timer(this::probeTimeout, probeMatters);
  }

  /// Limits the attempts until the peer answers.
  void retries(int most) {
    retries = most;
  }

  /// A piece was sent.
  void sent() {
    probeTimer.cancel();
    if (!timer.isSet()) {
      timer.set(currentTimeout());
    }
  }

  /// The peer has no room, and nothing is under way that it would answer.
  void probe() {
    if (!probeTimer.isSet()) {
      probeTimer.set(currentTimeout());
    }
  }

  /// The peer has acknowledged pieces.
  ///
  /// @param measured how long that took, or [#UNKNOWN]
  /// @param all whether no other is under way
  void acknowledged(long measured, boolean all) {
    retries = -1;
    attempts = 0;
    silentSince = UNKNOWN;
    if (measured != UNKNOWN) {
      measure(measured);
    }
    timer.cancel();
    if (!all) {
      timer.set(currentTimeout());
    }
  }

  /// The peer has told its window.
  void answered() {
    if (!timer.isSet()) {
      silentSince = UNKNOWN;
    }
  }

  private void measure(long nanos) {
    if (roundTrip == UNKNOWN) {
      roundTrip = nanos;
      deviation = nanos / 2;
    } else {
      deviation += (Math.abs(nanos - roundTrip) - deviation) / 4;
      roundTrip += (nanos - roundTrip) / 8;
    }
    timeout = roundTrip + Math.max(LEAST_DEVIATION, 4 * deviation);
  }

  private long currentTimeout() {
    return Math.min(timeout << Math.min(attempts, MOST_DOUBLINGS), LONGEST_TIMEOUT);
  }

  private void resendTimeout() {
    expired(timer);
  }

  private void probeTimeout() {
    expired(probeTimer);
  }

  private void expired(Timeline.Timer which) {
    if (silentSince == UNKNOWN) {
      silentSince = timeline.now() - currentTimeout();
    }
    if (retries >= 0 ? attempts == retries : timeline.now() - silentSince >= patience) {
      giveUp.run();
      return;
    }
    attempts++;
    resend.run();
    which.set(currentTimeout());
  }

  void orphan() {
    patience = ORPHAN_PATIENCE;
  }

  void stop() {
    timer.cancel();
    probeTimer.cancel();
  }
}
