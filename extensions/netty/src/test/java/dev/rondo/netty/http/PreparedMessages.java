package dev.rondo.netty.http;

import io.netty.buffer.ByteBufAllocator;

/// Makes messages whose memory a test counts.
public final class PreparedMessages {

  private PreparedMessages() {}

  /// {@return a text}
  public static PreparedMessage text(ByteBufAllocator memory, String text) {
    return PreparedMessage.text(memory, text);
  }

  /// {@return a message of bytes}
  public static PreparedMessage binary(ByteBufAllocator memory, byte[] bytes) {
    return PreparedMessage.binary(memory, bytes);
  }
}
