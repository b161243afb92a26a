package dev.rondo.cluster;

import dev.rondo.cluster.DeliveryException.Reason;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What members send each other.
///
/// | bytes | are |
/// |---|---|
/// | 1 | the version, 1 |
/// | 1 | the kind |
/// | 1 | whether it is about a signal (1) or a mailbox (0) |
/// | 1 | the reason of a refusal; 0 otherwise |
/// | 8 | the number of the message |
/// | 2 | how long the name is |
/// | that many | the name, in UTF-8 |
/// | the others | the message |
@SuppressWarnings("ArrayRecordComponent") // never compared
record Frame(Kind kind, boolean signal, Reason reason, long number, String name, byte[] message) {

  private static final byte VERSION = 1;
  private static final int FIXED = 14;
  private static final byte[] NOTHING = {};

  /// A kind is its place in here.
  private static final List<Kind> KINDS = List.of(Kind.MESSAGE, Kind.TAKEN, Kind.REFUSED);

  /// A reason is its place in here.
  private static final List<Reason> REASONS =
      List.of(
          Reason.NO_MEMBER,
          Reason.MEMBER_LEFT,
          Reason.NO_MAILBOX,
          Reason.TOO_LARGE,
          Reason.BAD_BYTES,
          Reason.OVERRUN);

  /// What it is.
  enum Kind {
    /// A message for a mailbox, or a signal.
    MESSAGE,
    /// All messages up to that number are taken, if they were not refused.
    TAKEN,
    /// One message is refused.
    REFUSED
  }

  static byte[] message(boolean signal, long number, String name, byte[] message) {
    return bytes(Kind.MESSAGE, signal, 0, number, name, message);
  }

  static byte[] taken(boolean signal, long number, String name) {
    return bytes(Kind.TAKEN, signal, 0, number, name, NOTHING);
  }

  static byte[] refused(boolean signal, Reason reason, long number, String name) {
    return bytes(Kind.REFUSED, signal, REASONS.indexOf(reason), number, name, NOTHING);
  }

  private static byte[] bytes(
      Kind kind, boolean signal, int reason, long number, String name, byte[] message) {
    byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(FIXED + nameBytes.length + message.length)
        .put(VERSION)
        .put((byte) KINDS.indexOf(kind))
        .put((byte) (signal ? 1 : 0))
        .put((byte) reason)
        .putLong(number)
        .putShort((short) nameBytes.length)
        .put(nameBytes)
        .put(message)
        .array();
  }

  /// Returns the frame that bytes are, which are read; null if they are none.
  static @Nullable Frame of(ByteBuffer in) {
    try {
      byte version = in.get();
      byte kind = in.get();
      byte signal = in.get();
      byte reason = in.get();
      long number = in.getLong();
      short length = in.getShort();
      if (version != VERSION
          || kind < 0
          || kind >= KINDS.size()
          || reason < 0
          || reason >= REASONS.size()
          || length < 0) {
        return null;
      }
      byte[] name = new byte[Math.min(length, in.remaining() + 1)];
      in.get(name);
      byte[] message = new byte[in.remaining()];
      in.get(message);
      return new Frame(
          KINDS.get(kind),
          signal == 1,
          REASONS.get(reason),
          number,
          new String(name, StandardCharsets.UTF_8),
          message);
    } catch (BufferUnderflowException e) {
      return null;
    }
  }
}
