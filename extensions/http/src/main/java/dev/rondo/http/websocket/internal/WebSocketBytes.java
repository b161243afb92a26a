package dev.rondo.http.websocket.internal;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.nio.charset.StandardCharsets;

/// Encodes messages as frames (RFC 6455, 5.2), each in one buffer. A server does not mask, so a
/// frame is the same for all clients and needs no encoder. A client's frames pass a
/// [WebSocketMask].
///
/// Stateless; any thread.
final class WebSocketBytes {

  private static final int FINAL_TEXT = 0x81;
  private static final int FINAL_BINARY = 0x82;
  private static final int FINAL_CLOSE = 0x88;
  private static final int FINAL_PING = 0x89;
  private static final int FINAL_PONG = 0x8A;

  /// The longest content whose length fits in one byte, which is also the longest content of a
  /// control frame (RFC 6455, 5.5).
  static final int MOST_IN_ONE_BYTE = 125;

  private static final int TWO_BYTES_FOLLOW = 126;
  private static final int EIGHT_BYTES_FOLLOW = 127;
  private static final int MOST_IN_TWO_BYTES = 0xFFFF;

  private WebSocketBytes() {}

  /// {@return the frame, which the caller releases}
  static ByteBuf text(ByteBufAllocator memory, String text) {
    return frame(memory, FINAL_TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  /// {@return the frame, which the caller releases}
  static ByteBuf binary(ByteBufAllocator memory, byte[] bytes) {
    return frame(memory, FINAL_BINARY, bytes);
  }

  /// {@return a control frame, which the caller releases}
  ///
  /// @param frame released here
  static ByteBuf control(ByteBufAllocator memory, WebSocketFrame frame) {
    int kind =
        switch (frame) {
          case CloseWebSocketFrame _ -> FINAL_CLOSE;
          case PingWebSocketFrame _ -> FINAL_PING;
          case PongWebSocketFrame _ -> FINAL_PONG;
          default -> throw new IllegalArgumentException("no control frame: " + frame);
        };
    try {
      return frame(memory, kind, ByteBufUtil.getBytes(frame.content()));
    } finally {
      frame.release();
    }
  }

  private static ByteBuf frame(ByteBufAllocator memory, int kind, byte[] content) {
    int count = content.length;
    if (count <= MOST_IN_ONE_BYTE) {
      return begun(memory, Short.BYTES, count)
          .writeShort(kind << Byte.SIZE | count)
          .writeBytes(content);
    }
    if (count <= MOST_IN_TWO_BYTES) {
      return begun(memory, Integer.BYTES, count)
          .writeShort(kind << Byte.SIZE | TWO_BYTES_FOLLOW)
          .writeShort(count)
          .writeBytes(content);
    }
    return begun(memory, Short.BYTES + Long.BYTES, count)
        .writeShort(kind << Byte.SIZE | EIGHT_BYTES_FOLLOW)
        .writeLong(count)
        .writeBytes(content);
  }

  private static ByteBuf begun(ByteBufAllocator memory, int headBytes, int count) {
    return memory.buffer(Math.addExact(headBytes, count));
  }
}
