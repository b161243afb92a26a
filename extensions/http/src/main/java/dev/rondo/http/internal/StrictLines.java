package dev.rondo.http.internal;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Checks lines of HTTP/1.1 more strictly than Netty. It sees the lines of chunks before Netty's
/// decoder, which accepts blanks, tabs and zeros around a size. A size has digits only (RFC 9112,
/// 7.1), and an extension may follow it. All extensions of a message together have a limit.
///
/// Confined to the event loop.
public final class StrictLines {

  private static final int HEXADECIMAL = 16;
  private static final int MOST_DIGITS = 15;
  private static final int BYTES_OF_LINE_END = 2;

  private final int mostExtensionBytes;

  /// Whether the body of a message in chunks is being read.
  private boolean inBody;

  /// The bytes that are left of a chunk and of its line end; 0 before a line.
  private long leftBytes;

  /// The length of the line that is being decoded.
  private int lineBytes;

  private int extensionBytes;

  /// Whether a line was refused: nothing after it is decoded.
  private boolean refused;

  /// @param mostExtensionBytes of one message
  public StrictLines(int mostExtensionBytes) {
    this.mostExtensionBytes = mostExtensionBytes;
  }

  /// Checks the blank between the parts of a first line, where Netty accepts tabs and several
  /// blanks.
  ///
  /// @param start of the first part; 0 behind it
  /// @param end of a part
  public static void requireOneBlank(byte[] line, int start, int end) {
    if (start > 0 || line[end] != ' ' || line[end + 1] <= ' ') {
      throw new IllegalArgumentException("the parts of the first line are not one blank apart");
    }
  }

  /// Checks the version in a first line, because Netty accepts the protocol name in lower case (RFC
  /// 9112, 2.3).
  public static void requireProtocol(String version) {
    if (!version.startsWith("HTTP/")) {
      throw new IllegalArgumentException("the version is malformed");
    }
  }

  /// Checks the bytes that are about to be decoded.
  ///
  /// @return false if the bytes must not be decoded; the failure is then in the list
  public boolean mayDecode(ByteBuf in, List<Object> out) {
    lineBytes = 0;
    if (!inBody) {
      return true;
    }
    if (!refused && leftBytes == 0) {
      int length = in.bytesBefore((byte) '\n');
      if (length < 0) {
        return true; // it waits for the rest
      }
      String mistake = mistake(in, length);
      if (mistake != null) {
        refused = true;
        var failed = new DefaultLastHttpContent(Unpooled.EMPTY_BUFFER);
        failed.setDecoderResult(DecoderResult.failure(new IllegalArgumentException(mistake)));
        out.add(failed);
      }
    }
    if (refused) {
      in.skipBytes(in.readableBytes());
    }
    return !refused;
  }

  /// @return the mistake in a line; null for none
  private @Nullable String mistake(ByteBuf in, int length) {
    int start = in.readerIndex();
    int end = length > 0 && in.getByte(start + length - 1) == '\r' ? length - 1 : length;
    long size = 0;
    int digits = 0;
    for (int digit; digits < end; digits++) {
      digit = Character.digit(in.getByte(start + digits), HEXADECIMAL);
      if (digit < 0) {
        break;
      }
      size = size * HEXADECIMAL + digit;
    }
    if (digits == 0
        || digits > MOST_DIGITS
        || (digits < end && in.getByte(start + digits) != ';')) {
      return "the size of a chunk is malformed";
    }
    extensionBytes += end - digits;
    if (extensionBytes > mostExtensionBytes) {
      return "the extensions of the chunks are too long";
    }
    lineBytes = length + 1;
    leftBytes = size == 0 ? Long.MAX_VALUE : size + BYTES_OF_LINE_END; // trailers follow the last
    return null;
  }

  /// Notes the decoded messages.
  ///
  /// @param readBytes the number of bytes that were read from the input
  /// @param from the index of the first new message in the list
  public void decoded(int readBytes, List<Object> out, int from) {
    leftBytes -= inBody && leftBytes > 0 ? readBytes - lineBytes : 0;
    for (int i = from; i < out.size(); i++) {
      Object each = out.get(i);
      if (each instanceof LastHttpContent) {
        inBody = false;
      } else if (each instanceof HttpMessage head) {
        inBody = HttpUtil.isTransferEncodingChunked(head);
        leftBytes = 0;
        extensionBytes = 0;
      }
    }
  }
}
