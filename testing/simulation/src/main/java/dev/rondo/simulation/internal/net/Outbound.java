package dev.rondo.simulation.internal.net;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/// The sending side of a TCP connection: the program's bytes, in pieces that are kept until the
/// peer has acknowledged them, and sent again if it does not. The peer's window is the only limit:
/// there is no congestion control.
final class Outbound {

  /// The longest piece, as over loopback.
  static final int LONGEST_BYTES = 65_483;

  /// So many acknowledgements of the same byte say that the piece after it is lost (RFC 5681).
  private static final int DUPLICATES = 3;

  /// The way of the pieces to the peer.
  interface Wire {

    /// Sends a segment.
    void transmit(int flags, long sequence, ByteBuffer data);

    /// Draws how many bytes the next segment takes.
    ///
    /// @param most at least 1
    /// @return all of them; or some, and the others are to follow when these are acknowledged
    int bytesOfSegment(int most);

    /// {@return whether the peer has room, or is out of reach}
    boolean wouldAnswerProbe();

    /// The peer does not answer.
    void gaveUp();
  }

  private static final class Piece {
    private final int flags;
    private final long sequence;
    private final ByteBuffer data;
    private final long sentAt;
    private boolean resent;

    Piece(int flags, long sequence, ByteBuffer data, long sentAt) {
      this.flags = flags;
      this.sequence = sequence;
      this.data = data;
      this.sentAt = sentAt;
    }

    long end() {
      return sequence + Segment.numbers(flags, data);
    }
  }

  private final Timeline timeline;
  private final Wire wire;
  private final Retransmission retransmission;
  private final ByteQueue unsent = new ByteQueue();
  private final ArrayDeque<Piece> inFlight = new ArrayDeque<>();
  private final long first;

  private long next;
  private long acknowledged;

  /// Up to where the peer has room.
  private long limit;

  /// The end of a piece that took some bytes only: those behind it wait for its acknowledgement, as
  /// by Nagle's algorithm (RFC 896).
  private long splitAt;

  /// Pieces before it may be lost, because one was.
  private long recoverTo;

  private int duplicates;
  private long bytesInFlight;
  private boolean ended;
  private boolean endSent;

  /// @param first the first sequence number
  Outbound(Timeline timeline, long first, Wire wire) {
    this.timeline = timeline;
    this.wire = wire;
    this.first = first;
    next = first;
    acknowledged = first;
    splitAt = first;
    retransmission =
        new Retransmission(timeline, this::resend, wire::wouldAnswerProbe, wire::gaveUp);
  }

  // Sending.

  /// Begins: sends a SYN.
  ///
  /// @param retries how often again
  void begin(int retries) {
    retransmission.retries(retries);
    send(Segment.SYN, Segment.NO_DATA);
  }

  void write(ByteBuffer source, int count) {
    unsent.addFrom(source, count);
    flush();
  }

  /// The program writes no more.
  void end() {
    ended = true;
    flush();
  }

  private void flush() {
    while (!unsent.isEmpty() && limit > next && acknowledged >= splitAt) {
      long allowed = Math.min(limit - next, LONGEST_BYTES);
      int most = (int) Math.min(allowed, unsent.size());
      int count = wire.bytesOfSegment(most);
      if (count < most) {
        splitAt = next + count;
      }
      ByteBuffer data = unsent.take(count);
      bytesInFlight += data.remaining();
      send(0, data);
    }
    if (ended && !endSent && unsent.isEmpty() && limit > first) {
      endSent = true;
      send(Segment.FIN, Segment.NO_DATA);
    }
    if (inFlight.isEmpty() && !unsent.isEmpty()) {
      retransmission.probe();
    }
  }

  private void send(int flags, ByteBuffer data) {
    var piece = new Piece(flags, next, data, timeline.now());
    next = piece.end();
    inFlight.add(piece);
    wire.transmit(flags, piece.sequence, data);
    retransmission.sent();
  }

  /// Sends the first piece again that the peer has not acknowledged, and later those after it that
  /// are lost, too; without one, asks for the peer's window.
  void resend() {
    if (inFlight.isEmpty()) {
      sendProbe();
    } else {
      recoverTo = next;
      resendFirst();
    }
  }

  private void resendFirst() {
    Piece lost = inFlight.peek();
    if (lost != null) {
      lost.resent = true;
      wire.transmit(lost.flags, lost.sequence, lost.data);
    }
  }

  /// Sends what the peer answers with an acknowledgement.
  void sendProbe() {
    wire.transmit(0, acknowledged - 1, Segment.NO_DATA);
  }

  // Acknowledgements.

  /// The peer has acknowledged, and has told its room.
  ///
  /// @param number the next byte it expects
  /// @param window its room from there on
  /// @param plain whether the segment says nothing else
  void acknowledge(long number, long window, boolean plain) {
    boolean grown = number + window > limit;
    limit = Math.max(limit, number + window);
    if (number > acknowledged) {
      advance(number);
    } else if (number == acknowledged && plain && !grown && !inFlight.isEmpty()) {
      duplicates++;
      if (duplicates == DUPLICATES) {
        resend();
      }
    }
    retransmission.answered();
    flush();
  }

  private void advance(long number) {
    acknowledged = number;
    duplicates = 0;
    long measured = Retransmission.UNKNOWN;
    boolean resent = false;
    for (Piece piece = inFlight.peek(); piece != null; piece = inFlight.peek()) {
      if (piece.end() > number) {
        break;
      }
      inFlight.remove();
      bytesInFlight -= piece.data.remaining();
      measured = timeline.now() - piece.sentAt;
      resent |= piece.resent;
    }
    retransmission.acknowledged(resent ? Retransmission.UNKNOWN : measured, inFlight.isEmpty());
    if (number < recoverTo) {
      resendFirst();
    }
  }

  // State.

  /// {@return the number behind all that was sent}
  long next() {
    return next;
  }

  /// {@return whether a number is one that a peer can expect}
  boolean wasSent(long number) {
    return number > first && number <= next;
  }

  /// {@return how many bytes are not acknowledged}
  long size() {
    return unsent.size() + bytesInFlight;
  }

  boolean hasEnded() {
    return ended;
  }

  /// {@return whether the peer has acknowledged all, and the end}
  boolean isEndAcknowledged() {
    return endSent && inFlight.isEmpty();
  }

  boolean isIdle() {
    return inFlight.isEmpty() && unsent.isEmpty();
  }

  /// The program has closed the connection: the peer has less time to answer.
  void orphan() {
    retransmission.orphan();
  }

  /// Sends nothing any more.
  void stop() {
    retransmission.stop();
    unsent.clear();
    inFlight.clear();
    bytesInFlight = 0;
  }
}
