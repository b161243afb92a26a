package dev.rondo.simulation.internal.net;

import java.nio.ByteBuffer;

/// A piece of a TCP connection on its way (RFC 9293). Sequence numbers count the bytes; the
/// beginning and the end of a direction count as one each. They are never reused.
///
/// @param flow seen from the sender
/// @param flags what it says
/// @param sequence of its first byte
/// @param acknowledged the next byte that the sender expects; only with [#ACK]
/// @param window how many bytes the sender takes from there on
/// @param data maybe none
record Segment(
    Flow flow, int flags, long sequence, long acknowledged, long window, ByteBuffer data) {

  static final int SYN = 1;
  static final int ACK = 2;
  static final int FIN = 4;
  static final int RST = 8;

  static final ByteBuffer NO_DATA = ByteBuffer.allocate(0);

  /// {@return what a host answers that knows no such connection}
  Segment refusal() {
    return has(ACK)
        ? reset(flow.reversed(), acknowledged)
        : new Segment(flow.reversed(), RST | ACK, 0, end(), 0, NO_DATA);
  }

  static Segment reset(Flow flow, long sequence) {
    return new Segment(flow, RST, sequence, 0, 0, NO_DATA);
  }

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /// {@return how many sequence numbers it takes}
  long length() {
    return length(flags, data);
  }

  static long length(int flags, ByteBuffer data) {
    return (long) data.remaining() + ((flags & SYN) != 0 ? 1 : 0) + ((flags & FIN) != 0 ? 1 : 0);
  }

  /// {@return the sequence number behind it}
  long end() {
    return sequence + length();
  }
}
