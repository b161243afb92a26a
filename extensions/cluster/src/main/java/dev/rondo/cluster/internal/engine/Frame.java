package dev.rondo.cluster.internal.engine;

import dev.rondo.cluster.members.DeliveryException.Reason;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// A unit of the messages between members: a head, and a message if it has one.
///
/// | bytes | are |
/// |---|---|
/// | 1 | the version, see [Wire] |
/// | 1 | the kind |
/// | 1 | whether it is about a signal (1) or a mailbox (0) |
/// | 1 | the reason of a refusal; 0 otherwise |
/// | 8 | the number of the message |
/// | 2 | how long the name is |
/// | that many | the name, in UTF-8: here ends the head |
/// | the others | the message |
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Frame(
    Kind kind, boolean signal, Reason reason, long number, String name, byte[] message) {

  private static final byte[] NOTHING = {};

  /// The bytes of a head without its name.
  private static final int FIXED = 14;

  /// The most bytes that a name has.
  public static final int LONGEST_NAME = 255;

  /// How long a head may be at most.
  public static final int MOST_HEAD_BYTES = FIXED + LONGEST_NAME;

  /// A kind is its place in here.
  private static final List<Kind> KINDS =
      List.of(Kind.MESSAGE, Kind.TAKEN, Kind.REFUSED, Kind.FIRST);

  /// A reason is its place in here.
  private static final List<Reason> REASONS =
      List.of(
          Reason.NO_MEMBER,
          Reason.MEMBER_LEFT,
          Reason.NO_MAILBOX,
          Reason.TOO_LARGE,
          Reason.BAD_BYTES,
          Reason.OVERRUN);

  /// Stands for bytes that are no frame.
  static final Frame UNREADABLE = new Frame(Kind.NONE, false, REASONS.getFirst(), 0, "", NOTHING);

  /// The kinds of frames.
  public enum Kind {
    /// A message for a mailbox, or a signal.
    MESSAGE,
    /// All messages up to that number are taken, if they were not refused.
    TAKEN,
    /// One message is refused.
    REFUSED,
    /// A message as above, whose sender knows of none before it that was not taken: it has lost
    /// sight of the receiver meanwhile. The receiver counts from here on.
    FIRST,
    /// It came as bytes that are no frame.
    NONE
  }

  public static Frame message(boolean signal, long number, String name, byte[] message) {
    return new Frame(Kind.MESSAGE, signal, REASONS.getFirst(), number, name, message);
  }

  public static Frame first(boolean signal, long number, String name, byte[] message) {
    return new Frame(Kind.FIRST, signal, REASONS.getFirst(), number, name, message);
  }

  public static Frame taken(boolean signal, long number, String name) {
    return new Frame(Kind.TAKEN, signal, REASONS.getFirst(), number, name, NOTHING);
  }

  public static Frame refused(boolean signal, Reason reason, long number, String name) {
    return new Frame(Kind.REFUSED, signal, reason, number, name, NOTHING);
  }

  /// Returns the same with a message of its own.
  public Frame copied() {
    return new Frame(kind, signal, reason, number, name, message.clone());
  }

  // Bytes.

  /// {@return the head, in a version of [Wire]}
  public byte[] head(int version) {
    byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(FIXED + nameBytes.length)
        .put((byte) version)
        .put((byte) KINDS.indexOf(kind))
        .put((byte) (signal ? 1 : 0))
        .put((byte) REASONS.indexOf(reason))
        .putLong(number)
        .putShort((short) nameBytes.length)
        .put(nameBytes)
        .array();
  }

  /// {@return all bytes, in the newest version}
  public byte[] bytes() {
    return bytes(Wire.OURS.newest());
  }

  /// {@return all bytes, in a version of [Wire]}
  public byte[] bytes(int version) {
    byte[] head = head(version);
    byte[] bytes = Arrays.copyOf(head, head.length + message.length);
    System.arraycopy(message, 0, bytes, head.length, message.length);
    return bytes;
  }

  /// Returns the frame that bytes are, which are read; [#UNREADABLE] if they are none.
  public static Frame of(ByteBuffer in) {
    return of(in, Wire.OURS);
  }

  /// The same of bytes in a version that a node speaks.
  public static Frame of(ByteBuffer in, Wire wire) {
    Frame head = headOf(in, wire);
    byte[] message = new byte[in.remaining()];
    in.get(message);
    return head.with(message);
  }

  /// The same of a head and a message, which becomes that of the frame.
  public static Frame of(byte[] head, byte[] message, Wire wire) {
    ByteBuffer in = ByteBuffer.wrap(head);
    Frame read = headOf(in, wire);
    return in.hasRemaining() ? UNREADABLE : read.with(message);
  }

  private Frame with(byte[] its) {
    return this == UNREADABLE ? this : new Frame(kind, signal, reason, number, name, its);
  }

  private static Frame headOf(ByteBuffer in, Wire wire) {
    try {
      byte version = in.get();
      byte kind = in.get();
      byte signal = in.get();
      byte reason = in.get();
      long number = in.getLong();
      short length = in.getShort();
      if (!wire.has(version)
          || kind < 0
          || kind >= KINDS.size()
          || reason < 0
          || reason >= REASONS.size()
          || length < 0
          || length > in.remaining()) {
        return UNREADABLE;
      }
      byte[] name = new byte[length];
      in.get(name);
      return new Frame(
          KINDS.get(kind),
          signal == 1,
          REASONS.get(reason),
          number,
          new String(name, StandardCharsets.UTF_8),
          NOTHING);
    } catch (BufferUnderflowException e) {
      return UNREADABLE;
    }
  }
}
