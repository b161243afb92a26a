package dev.rondo.simulation.internal.net;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A piece of a TCP connection on its way.
///
/// @param flow seen from the sender
/// @param kind what it says
/// @param sequence counts the segments of the sender from zero, so that they are handled in order;
///   a reset has none
/// @param data the bytes of a [Kind#DATA] segment
/// @param acknowledged how many bytes an [Kind#ACK] segment acknowledges
/// @param window how many bytes the sender of the segment takes from now on
/// @param sender null if no connection sent it
record Segment(
    Flow flow,
    Kind kind,
    long sequence,
    ByteBuffer data,
    long acknowledged,
    long window,
    @Nullable TcpConnection sender) {

  enum Kind {
    SYN,
    SYN_ACK,
    DATA,
    ACK,
    FIN,
    FIN_ACK,
    RST
  }

  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  static Segment reset(Flow flow) {
    return new Segment(flow, Kind.RST, 0, NONE, 0, 0, null);
  }

  /// {@return how often it is sent again before the sender gives up}
  int attempts() {
    return kind == Kind.SYN || kind == Kind.SYN_ACK ? SYN_ATTEMPTS : ATTEMPTS;
  }

  /// {@return how long the sender waits for the answer to an attempt, in nanoseconds}
  ///
  /// @param attempt counted from zero
  long patienceNanos(int attempt) {
    long first = kind == Kind.SYN || kind == Kind.SYN_ACK ? FIRST_SYN_NANOS : FIRST_NANOS;
    return Math.min(first << attempt, LONGEST_NANOS);
  }

  /// What Linux does by default: `tcp_syn_retries`, `tcp_retries2`, RFC 6298.
  private static final int SYN_ATTEMPTS = 6;

  private static final int ATTEMPTS = 15;
  private static final long FIRST_SYN_NANOS = 1_000_000_000;
  private static final long FIRST_NANOS = 200_000_000;
  private static final long LONGEST_NANOS = 120_000_000_000L;
}
