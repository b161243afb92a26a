package dev.rondo.http.websocket.internal;

import dev.rondo.http.websocket.WebSocketMessage;
import java.io.ByteArrayOutputStream;

/// The fragments of an incomplete WebSocket message. A text is decoded as it comes, so that invalid
/// UTF-8 ends the socket at once.
///
/// Confined to the event loop.
abstract class WebSocketFragments {

  private int bytes;

  /// {@return the number of bytes}
  final int bytes() {
    return bytes;
  }

  /// @param last whether no other fragment follows
  final void add(byte[] content, boolean last) {
    bytes += content.length;
    append(content, last);
  }

  abstract void append(byte[] content, boolean last);

  /// {@return the message, after its last fragment}
  abstract WebSocketMessage message();

  static final class OfText extends WebSocketFragments {

    private final Utf8 utf8 = new Utf8();

    @Override
    void append(byte[] content, boolean last) {
      utf8.decode(content, last);
    }

    @Override
    WebSocketMessage message() {
      return new WebSocketMessage.Text(utf8.text());
    }
  }

  static final class OfBinary extends WebSocketFragments {

    private final ByteArrayOutputStream content = new ByteArrayOutputStream();

    @Override
    void append(byte[] part, boolean last) {
      content.writeBytes(part);
    }

    @Override
    WebSocketMessage message() {
      return new WebSocketMessage.Binary(content.toByteArray());
    }
  }
}
