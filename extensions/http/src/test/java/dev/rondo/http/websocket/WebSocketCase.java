package dev.rondo.http.websocket;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/// One case of a client of WebSockets that sends bytes as it likes, to a server that sends each
/// message back. The names are the numbers of the cases of Autobahn's fuzzing client.
///
/// @param name its number
/// @param sent what the client sends, in so many writes
/// @param expected what the server sends
/// @param allowed what it may send instead
record WebSocketCase(String name, List<byte[]> sent, List<String> expected, List<String> allowed) {

  static final int CONTINUATION = 0;
  static final int TEXT = 1;
  static final int BINARY = 2;
  static final int CLOSE = 8;
  static final int PING = 9;
  static final int PONG = 10;

  private static final int FINAL = 0x80;
  private static final int MASKED = 0x80;
  private static final int TWO_BYTES_FOLLOW = 126;
  private static final int EIGHT_BYTES_FOLLOW = 127;
  private static final byte[] MASK = {0x12, 0x34, 0x56, 0x78};

  /// Longer contents are shown by their length.
  private static final int MOST_SHOWN = 40;

  @Override
  public String toString() {
    return name;
  }

  // What clients send.

  static byte[] frame(int opcode, byte[] content) {
    return frame(true, 0, opcode, content);
  }

  static byte[] frame(int opcode, String text) {
    return frame(opcode, bytes(text));
  }

  /// A frame that others follow.
  static byte[] part(int opcode, String text) {
    return frame(false, 0, opcode, bytes(text));
  }

  /// @param reserved the three bits
  static byte[] frame(boolean last, int reserved, int opcode, byte[] content) {
    ByteBuffer made = ByteBuffer.allocate(14 + content.length);
    made.put((byte) ((last ? FINAL : 0) | reserved << 4 | opcode));
    if (content.length < TWO_BYTES_FOLLOW) {
      made.put((byte) (MASKED | content.length));
    } else if (content.length <= 0xffff) {
      made.put((byte) (MASKED | TWO_BYTES_FOLLOW)).putShort((short) content.length);
    } else {
      made.put((byte) (MASKED | EIGHT_BYTES_FOLLOW)).putLong(content.length);
    }
    made.put(MASK);
    for (int i = 0; i < content.length; i++) {
      made.put((byte) (content[i] ^ MASK[i % MASK.length]));
    }
    return Arrays.copyOf(made.array(), made.position());
  }

  static byte[] close(int code, String reason) {
    return close(code, bytes(reason));
  }

  static byte[] close(int code, byte[] reason) {
    return frame(
        CLOSE, ByteBuffer.allocate(2 + reason.length).putShort((short) code).put(reason).array());
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits.replace(" ", ""));
  }

  /// All in one write.
  static byte[] together(byte[]... frames) {
    var all = new ByteArrayOutputStream();
    for (byte[] each : frames) {
      all.writeBytes(each);
    }
    return all.toByteArray();
  }

  /// The same bytes in writes of a length.
  static List<byte[]> chopped(int length, byte[]... frames) {
    byte[] all = together(frames);
    var chops = new ArrayList<byte[]>();
    for (int from = 0; from < all.length; from += length) {
      chops.add(Arrays.copyOfRange(all, from, Math.min(all.length, from + length)));
    }
    return chops;
  }

  /// {@return the same as a server sends it: not masked}
  List<byte[]> ofServer() {
    var all = new ByteArrayOutputStream();
    ByteBuffer in = ByteBuffer.wrap(together(sent.toArray(byte[][]::new)));
    while (in.hasRemaining()) {
      int begin = in.position();
      byte[] content = content(in, true);
      int lengthBytes = in.position() - begin - Short.BYTES - MASK.length - content.length;
      all.write(in.get(begin));
      all.write(in.get(begin + 1) & ~MASKED);
      all.write(in.array(), begin + Short.BYTES, lengthBytes);
      all.writeBytes(content);
    }
    return chopped(Math.max(1, sent.getFirst().length), all.toByteArray());
  }

  // What the others send.

  /// {@return the frames, each as a text; the last one may be cut off}
  ///
  /// @param masked whether a client has sent them
  static List<String> frames(byte[] received, boolean masked) {
    var shown = new ArrayList<String>();
    ByteBuffer in = ByteBuffer.wrap(received);
    while (in.hasRemaining()) {
      int head = Byte.toUnsignedInt(in.get(in.position()));
      byte[] content = content(in, masked);
      shown.add((head & FINAL) == 0 ? "part" : shown(head & ~FINAL, content));
    }
    return shown;
  }

  /// Reads a frame.
  private static byte[] content(ByteBuffer in, boolean masked) {
    var _ = in.get();
    int second = Byte.toUnsignedInt(in.get());
    if ((second & MASKED) != 0 != masked) {
      throw new AssertionError("masked=%b, required: %b".formatted(!masked, masked));
    }
    long length = second & ~MASKED;
    if (length == TWO_BYTES_FOLLOW) {
      length = Short.toUnsignedInt(in.getShort());
    } else if (length == EIGHT_BYTES_FOLLOW) {
      length = in.getLong();
    }
    byte[] mask = new byte[MASK.length];
    if (masked) {
      in.get(mask);
    }
    byte[] content = new byte[(int) length];
    in.get(content);
    for (int i = 0; i < content.length; i++) {
      content[i] ^= mask[i % mask.length];
    }
    return content;
  }

  private static String shown(int opcode, byte[] content) {
    return switch (opcode) {
      case TEXT -> "text " + shown(content);
      case BINARY -> "binary " + shown(content);
      case PING -> "ping " + shown(content);
      case PONG -> "pong " + shown(content);
      case CLOSE ->
          content.length == 0
              ? "close"
              : "close " + Short.toUnsignedInt(ByteBuffer.wrap(content).getShort());
      default -> "opcode " + opcode;
    };
  }

  static String shown(byte[] content) {
    return content.length > MOST_SHOWN
        ? content.length + " bytes"
        : new String(content, StandardCharsets.UTF_8);
  }
}
