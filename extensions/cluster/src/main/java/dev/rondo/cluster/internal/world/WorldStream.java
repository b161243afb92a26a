package dev.rondo.cluster.internal.world;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Messages to and from one member, as long as both see each other: they arrive once and in order,
/// whatever becomes of the datagrams that have pieces of them.
public final class WorldStream {

  /// A datagram has 65,507 at most.
  private static final int PIECE_BYTES = 30_000;

  /// So many may be under way, or one piece: less than the buffers of a socket take.
  private static final int WINDOW_BYTES = 90_000;

  /// So many are sent again at a time: when one was lost, those behind it may have come.
  private static final int MOST_AGAIN = 4;

  private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /// A part of a message, or all of it.
  ///
  /// @param number from 1
  /// @param last whether the message ends with it
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Piece(long number, boolean last, byte[] bytes) {}

  private static final class Outgoing {
    private final Piece piece;
    private boolean sent;
    private long sentNanos;

    Outgoing(Piece piece) {
      this.piece = piece;
    }

    boolean isDue(long now) {
      return !sent || now - sentNanos >= AGAIN_NANOS;
    }
  }

  /// Those that the member has not confirmed.
  private final Deque<Outgoing> outgoing = new ArrayDeque<>();

  private long lastNumber;

  /// All before it have come.
  private long expected = 1;

  /// Those that have come too early.
  private final Map<Long, Piece> early = new TreeMap<>();

  private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

  void add(byte[] message) {
    int from = 0;
    do {
      int to = Math.min(from + PIECE_BYTES, message.length);
      byte[] bytes = Arrays.copyOfRange(message, from, to);
      outgoing.add(new Outgoing(new Piece(++lastNumber, to == message.length, bytes)));
      from = to;
    } while (from < message.length);
  }

  /// {@return what is to be sent now, for the first time or again}
  List<Piece> due(long now) {
    var due = new ArrayList<Piece>();
    int bytes = 0;
    int again = 0;
    for (Outgoing each : outgoing) {
      bytes += each.piece.bytes().length;
      if (bytes > WINDOW_BYTES) {
        break;
      }
      if (each.isDue(now) && (!each.sent || ++again <= MOST_AGAIN)) {
        each.sent = true;
        each.sentNanos = now;
        due.add(each.piece);
      }
    }
    return due;
  }

  /// The member has all pieces up to a number.
  void confirmed(long number) {
    while (!outgoing.isEmpty() && outgoing.getFirst().piece.number() <= number) {
      outgoing.removeFirst();
    }
  }

  boolean isConfirmed() {
    return outgoing.isEmpty();
  }

  /// {@return the number up to which all pieces have come}
  long received() {
    return expected - 1;
  }

  void receive(Piece piece, Consumer<byte[]> receiver) {
    if (piece.number() < expected) {
      return;
    }
    early.put(piece.number(), piece);
    for (Piece next; (next = early.remove(expected)) != null; ) {
      expected++;
      begun.writeBytes(next.bytes());
      if (next.last()) {
        byte[] message = begun.toByteArray();
        begun.reset();
        receiver.accept(message);
      }
    }
  }
}
