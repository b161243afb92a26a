package dev.rondo.http.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;

/// The usual headers of a response: its type, the date and its length. The HTTP/1.1 encoder copies
/// bytes that are made once for many responses. Other readers find no headers here.
///
/// Immutable.
final class UsualHeaders extends EmptyHttpHeaders {

  /// A header.
  static final class Line {

    /// No header.
    static final Line NONE = new Line(AsciiString.EMPTY_STRING, AsciiString.EMPTY_STRING, "");

    private final AsciiString name;
    private final AsciiString value;

    /// The bytes that are sent.
    private final byte[] bytes;

    private Line(AsciiString name, AsciiString value, String line) {
      this.name = name;
      this.value = value;
      this.bytes = ascii(line);
    }

    static Line of(AsciiString name, AsciiString value) {
      return new Line(name, value, name + ": " + value + "\r\n");
    }

    AsciiString value() {
      return value;
    }

    private void addTo(HttpHeaders others) {
      if (!name.isEmpty()) {
        others.set(name, value);
      }
    }

    private void addTo(Http2Headers others) {
      if (!name.isEmpty()) {
        others.set(name, value);
      }
    }
  }

  private static final byte[] LENGTH = ascii(HttpHeaderNames.CONTENT_LENGTH + ": ");
  private static final int CR_LF = '\r' << Byte.SIZE | '\n';
  private static final int RADIX = 10;

  /// The most headers of an HTTP/2 response.
  private static final int HTTP_2_SIZE = 4;

  private final Line type;
  private final Line date;
  private final int lengthBytes;

  UsualHeaders(Line type, Line date, int lengthBytes) {
    this.type = type;
    this.date = date;
    this.lengthBytes = lengthBytes;
  }

  private static byte[] ascii(String text) {
    return new AsciiString(text).array();
  }

  /// Adds these headers to ordinary headers.
  void addTo(HttpHeaders others) {
    type.addTo(others);
    date.addTo(others);
    others.setInt(HttpHeaderNames.CONTENT_LENGTH, lengthBytes);
  }

  /// {@return the head of an HTTP/2 response}
  Http2Headers toHttp2(HttpResponseStatus status) {
    Http2Headers head = new DefaultHttp2Headers(/* validate= */ false, HTTP_2_SIZE);
    head.status(status.codeAsText());
    type.addTo(head);
    date.addTo(head);
    return head.setInt(HttpHeaderNames.CONTENT_LENGTH, lengthBytes);
  }

  /// Writes these headers as lines.
  void write(ByteBuf out) {
    out.writeBytes(type.bytes).writeBytes(date.bytes).writeBytes(LENGTH);
    writeDecimal(out, lengthBytes);
    ByteBufUtil.writeShortBE(out, CR_LF);
  }

  private static void writeDecimal(ByteBuf out, int number) {
    int divisor = 1;
    while (number / divisor >= RADIX) {
      divisor *= RADIX;
    }
    for (; divisor > 0; divisor /= RADIX) {
      out.writeByte('0' + number / divisor % RADIX);
    }
  }
}
