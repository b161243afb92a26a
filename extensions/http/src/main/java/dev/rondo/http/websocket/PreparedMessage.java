package dev.rondo.http.websocket;

import dev.rondo.http.websocket.internal.PreparedFrame;
import io.netty.buffer.ByteBufAllocator;
import java.util.Objects;

/// A message for many [WebSocket]s. It is encoded once, and sent to each socket from the same
/// memory, also while slow clients have not received it yet.
///
/// ```java
/// try (PreparedMessage news = PreparedMessage.text(text)) {
///   for (WebSocket each : room) {
///     boolean sent = each.trySend(news);
///   }
/// }
/// ```
///
/// The memory, outside of the heap, is released when the message is closed and the last socket has
/// sent it. A message that is never closed is a leak, which Netty's leak detector reports.
///
/// Immutable. Any thread may make and close a message. Loops may share a message that is closed
/// after all of them have called `send` or `trySend`.
public sealed interface PreparedMessage extends AutoCloseable permits PreparedFrame {

  /// {@return a text} Never a suspension point.
  ///
  /// @param text sent as UTF-8
  static PreparedMessage text(String text) {
    return PreparedFrame.text(
        ByteBufAllocator.DEFAULT, Objects.requireNonNull(text, "text is null"));
  }

  /// {@return a message of bytes} Never a suspension point.
  ///
  /// @param bytes copied
  static PreparedMessage binary(byte[] bytes) {
    return PreparedFrame.binary(
        ByteBufAllocator.DEFAULT, Objects.requireNonNull(bytes, "bytes is null"));
  }

  /// Releases the memory as soon as every socket has sent the message. Nothing happens if it is
  /// closed already. Never a suspension point.
  @Override
  void close();
}
