package dev.rondo.cluster.internal.world;

import dev.rondo.cluster.internal.engine.Frame;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a member sends another in a world, in a [WorldStream].
///
/// @param kind what it is
/// @param first a number whose meaning is that of the kind
/// @param second another one
/// @param bytes the rest
@SuppressWarnings("ArrayRecordComponent") // never compared
public record WorldMessage(Kind kind, long first, long second, byte[] bytes) {

  private static final int HEAD_BYTES = 1 + 2 * Long.BYTES;
  private static final byte[] NOTHING = {};

  /// A kind is its place in here.
  private static final List<Kind> KINDS =
      List.of(
          Kind.FRAMES,
          Kind.PROPOSE,
          Kind.CANDIDATE,
          Kind.ACCEPT,
          Kind.ACCEPTED,
          Kind.REFUSED,
          Kind.ENTRY,
          Kind.SNAPSHOT);

  /// What it is.
  enum Kind {
    /// Frames, each behind its length.
    FRAMES,
    /// A command for the leader.
    PROPOSE,
    /// A voter asks whether it may lead, in the term `first`.
    CANDIDATE,
    /// A command that voters are to have, of the leader in the term `first`, with the number
    /// `second`.
    ACCEPT,
    /// A voter has it; or confirms the candidate of the term `first`, with the number 0.
    ACCEPTED,
    /// A voter has confirmed the term `first`, which is larger.
    REFUSED,
    /// The command at the index `first` of the log: it is agreed on.
    ENTRY,
    /// The state that the commands before the index `first` have led to.
    SNAPSHOT
  }

  static WorldMessage propose(byte[] command) {
    return new WorldMessage(Kind.PROPOSE, 0, 0, command);
  }

  static WorldMessage candidate(long term) {
    return new WorldMessage(Kind.CANDIDATE, term, 0, NOTHING);
  }

  static WorldMessage refused(long term) {
    return new WorldMessage(Kind.REFUSED, term, 0, NOTHING);
  }

  static WorldMessage accept(long term, long number, byte[] command) {
    return new WorldMessage(Kind.ACCEPT, term, number, command);
  }

  static WorldMessage accepted(long term, long number) {
    return new WorldMessage(Kind.ACCEPTED, term, number, NOTHING);
  }

  static WorldMessage entry(int index, byte[] command) {
    return new WorldMessage(Kind.ENTRY, index, 0, command);
  }

  static WorldMessage snapshot(int index, byte[] state) {
    return new WorldMessage(Kind.SNAPSHOT, index, 0, state);
  }

  static WorldMessage frames(List<Frame> frames) {
    List<byte[]> all = frames.stream().map(Frame::bytes).toList();
    var out = ByteBuffer.allocate(all.stream().mapToInt(each -> Integer.BYTES + each.length).sum());
    all.forEach(each -> out.putInt(each.length).put(each));
    return new WorldMessage(Kind.FRAMES, 0, 0, out.array());
  }

  /// {@return the frames of a message that has frames}
  List<Frame> frames() {
    var frames = new ArrayList<Frame>();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    while (in.hasRemaining()) {
      byte[] frame = new byte[in.getInt()];
      in.get(frame);
      frames.add(Frame.of(ByteBuffer.wrap(frame)));
    }
    return frames;
  }

  byte[] written() {
    return ByteBuffer.allocate(HEAD_BYTES + bytes.length)
        .put((byte) KINDS.indexOf(kind))
        .putLong(first)
        .putLong(second)
        .put(bytes)
        .array();
  }

  /// Returns the message that bytes are; null if they are none.
  static @Nullable WorldMessage of(byte[] written) {
    ByteBuffer in = ByteBuffer.wrap(written);
    try {
      int kind = in.get();
      long first = in.getLong();
      long second = in.getLong();
      byte[] rest = new byte[in.remaining()];
      in.get(rest);
      return kind < 0 || kind >= KINDS.size()
          ? null
          : new WorldMessage(KINDS.get(kind), first, second, rest);
    } catch (BufferUnderflowException e) {
      return null;
    }
  }
}
