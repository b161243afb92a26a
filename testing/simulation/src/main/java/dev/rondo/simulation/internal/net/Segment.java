package dev.rondo.simulation.internal.net;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/// A piece of a TCP connection on its way (RFC 9293). Sequence numbers count the bytes; the
/// beginning and the end of a direction count as one each. They are never reused.
final class Segment extends Packet {

  static final int SYN = 1;
  static final int ACK = 2;
  static final int FIN = 4;
  static final int RST = 8;

  static final ByteBuffer NO_DATA = ByteBuffer.allocate(0);

  private final Flow flow;
  private final int flags;
  private final long sequence;
  private final long acknowledged;
  private final long window;
  private final ByteBuffer data;

  /// @param to the host of the receiver
  /// @param flow seen from the sender
  /// @param flags what it says
  /// @param sequence of its first byte
  /// @param acknowledged the next byte that the sender expects; only with [#ACK]
  /// @param window how many bytes the sender takes from there on
  /// @param data maybe none
  Segment(
      Host to,
      Flow flow,
      int flags,
      long sequence,
      long acknowledged,
      long window,
      ByteBuffer data) {
    super(to);
    this.flow = flow;
    this.flags = flags;
    this.sequence = sequence;
    this.acknowledged = acknowledged;
    this.window = window;
    this.data = data;
  }

  /// {@return what a host answers that knows no such connection}
  ///
  /// @param sender the host that has sent this
  Segment refusal(Host sender) {
    return has(ACK)
        ? reset(sender, flow.reversed(), acknowledged)
        : new Segment(sender, flow.reversed(), RST | ACK, 0, end(), 0, NO_DATA);
  }

  static Segment reset(Host to, Flow flow, long sequence) {
    return new Segment(to, flow, RST, sequence, 0, 0, NO_DATA);
  }

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  Flow flow() {
    return flow;
  }

  long sequence() {
    return sequence;
  }

  long acknowledged() {
    return acknowledged;
  }

  long window() {
    return window;
  }

  /// {@return how many sequence numbers it takes}
  long numbers() {
    return numbers(flags, data);
  }

  static long numbers(int flags, ByteBuffer data) {
    return (long) data.remaining() + ((flags & SYN) != 0 ? 1 : 0) + ((flags & FIN) != 0 ? 1 : 0);
  }

  /// {@return the sequence number behind it}
  long end() {
    return sequence + numbers();
  }

  // As a packet.

  @Override
  public Kind kind() {
    if (has(RST)) {
      return Kind.RST;
    }
    if (has(SYN)) {
      return Kind.SYN;
    }
    if (has(FIN)) {
      return Kind.FIN;
    }
    return data.hasRemaining() ? Kind.DATA : Kind.ACK;
  }

  @Override
  public InetSocketAddress source() {
    return flow.local();
  }

  @Override
  public InetSocketAddress target() {
    return flow.remote();
  }

  @Override
  public ByteBuffer data() {
    return data;
  }

  @Override
  void arrived() {
    to().arrived(this);
  }

  @Override
  public String toString() {
    return "%s of %s, sequence=%d, acknowledged=%d, window=%d, bytes=%d"
        .formatted(kind(), flow, sequence, acknowledged, window, data.remaining());
  }
}
