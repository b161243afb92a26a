package dev.rondo.simulation.internal.net;

import java.nio.ByteBuffer;
import java.util.TreeMap;

/// The receiving side of a TCP connection: the bytes in their order, whatever the order of the
/// segments.
final class Inbound {

  private final BufferSizes sizes;
  private final ByteQueue received = new ByteQueue();

  /// Segments that arrived before their predecessors.
  private final TreeMap<Long, Segment> early = new TreeMap<>();

  private long expected;

  /// Up to where the peer knows that it may send.
  private long promised;

  private boolean peerEnded;
  private boolean ended;

  Inbound(BufferSizes sizes) {
    this.sizes = sizes;
  }

  /// The peer has begun.
  ///
  /// @param first the number of its first byte
  void begin(long first) {
    expected = first;
  }

  /// {@return the number of the next byte}
  long expected() {
    return expected;
  }

  /// {@return whether a number is one that the peer may use}
  boolean isInWindow(long sequence) {
    return sequence >= expected && sequence <= Math.max(promised, expected);
  }

  /// Takes a segment.
  ///
  /// @return whether the program has something new to read
  boolean take(Segment segment) {
    if (segment.sequence() < expected || segment.numbers() == 0) {
      return false;
    }
    if (segment.sequence() > expected) {
      early.putIfAbsent(segment.sequence(), segment);
      return false;
    }
    takeNext(segment);
    Segment next;
    while (!early.isEmpty() && (next = early.remove(expected)) != null) {
      takeNext(next);
    }
    return true;
  }

  private void takeNext(Segment next) {
    expected = next.end();
    received.add(next.data());
    peerEnded |= next.has(Segment.FIN);
  }

  /// {@return whether the peer has ended its output, and all of it is here}
  boolean hasPeerEnded() {
    return peerEnded;
  }

  /// The program wants no more.
  void end() {
    ended = true;
  }

  /// {@return whether the end can be read, after what is there}
  boolean hasEnded() {
    return peerEnded || ended;
  }

  boolean isEmpty() {
    return received.isEmpty();
  }

  int moveTo(ByteBuffer target) {
    return received.moveTo(target);
  }

  void clear() {
    early.clear();
    received.clear();
  }

  // The window.

  /// {@return how many bytes there is room for}
  long window() {
    return Math.max(0, sizes.receive() - received.size());
  }

  /// {@return the room, which the next segment announces to the peer}
  long promise() {
    long room = window();
    promised = Math.max(promised, expected + room);
    return room;
  }

  /// {@return whether the peer should know of the room: not of every little (RFC 9293, 3.8.6.2.2)}
  boolean isWorthPromising(int longestSegment) {
    long gained = expected + window() - promised;
    return !peerEnded && gained >= Math.min(sizes.receive() / 2, longestSegment);
  }
}
