package dev.rondo.http.websocket.internal;

import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Decodes UTF-8 strictly, in parts. Text that is not valid UTF-8 is a protocol error of a
/// WebSocket (RFC 6455, 8.1), code 1007.
///
/// Confined to one thread.
final class Utf8 {

  /// The JDK's replacement for bytes that are not UTF-8.
  private static final char REPLACEMENT = '\uFFFD';

  private static final byte[] NONE = {};

  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT);

  private final StringBuilder text = new StringBuilder();

  /// The beginning of a character.
  private byte[] rest = NONE;

  /// {@return the text of a whole message} The constructor of `String` is fast, and replaces
  /// invalid bytes: only a text with a replacement is decoded again.
  static String decoded(byte[] content) {
    String text = new String(content, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) < 0) {
      return text;
    }
    var strict = new Utf8();
    strict.decode(content, /* last= */ true);
    return text;
  }

  /// Decodes the next part.
  ///
  /// @param last whether the text must be whole with it
  void decode(byte[] part, boolean last) {
    ByteBuffer in = ByteBuffer.wrap(rest.length == 0 ? part : joined(rest, part));
    CharBuffer out = CharBuffer.allocate(in.remaining()); // a character has one byte or more
    CoderResult result = decoder.decode(in, out, last);
    if (result.isError()) {
      throw new CorruptedWebSocketFrameException(
          WebSocketCloseStatus.INVALID_PAYLOAD_DATA, "bytes are not UTF-8");
    }
    text.append(out.flip());
    rest = Arrays.copyOfRange(in.array(), in.position(), in.limit());
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  /// {@return the whole decoded text}
  String text() {
    return text.toString();
  }
}
