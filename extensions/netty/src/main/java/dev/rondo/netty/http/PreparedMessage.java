package dev.rondo.netty.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/// A message for many [WebSocket]s: encoded once, and sent to each from the same memory, also while
/// slow clients have not received it yet.
///
/// ```java
/// try (PreparedMessage news = PreparedMessage.text(text)) {
///   for (WebSocket each : room) {
///     boolean sent = each.trySend(news);
///   }
/// }
/// ```
///
/// The memory, outside of the heap, is given back when the message is closed and the last socket
/// has sent it. One that is never closed is a leak, which Netty's leak detector reports.
///
/// Immutable. Any thread may make and close it, and loops may share it, if it is closed when all of
/// them have called `send` or `trySend`.
public final class PreparedMessage implements AutoCloseable {

  private final ByteBuf frame;
  private final AtomicBoolean closed = new AtomicBoolean();

  private PreparedMessage(ByteBuf frame) {
    this.frame = frame;
  }

  /// {@return the same frame outside of the heap, from where each socket can send it uncopied}
  private static ByteBuf direct(ByteBufAllocator memory, ByteBuf frame) {
    if (frame.isDirect()) {
      return frame;
    }
    try {
      return memory.directBuffer(frame.readableBytes()).writeBytes(frame);
    } finally {
      frame.release();
    }
  }

  /// {@return a text} Never a suspension point.
  ///
  /// @param text sent as UTF-8
  public static PreparedMessage text(String text) {
    return text(ByteBufAllocator.DEFAULT, Objects.requireNonNull(text, "text is null"));
  }

  static PreparedMessage text(ByteBufAllocator memory, String text) {
    return new PreparedMessage(direct(memory, WebSocketBytes.text(memory, text)));
  }

  /// {@return a message of bytes} Never a suspension point.
  ///
  /// @param bytes copied
  public static PreparedMessage binary(byte[] bytes) {
    return binary(ByteBufAllocator.DEFAULT, Objects.requireNonNull(bytes, "bytes is null"));
  }

  static PreparedMessage binary(ByteBufAllocator memory, byte[] bytes) {
    return new PreparedMessage(direct(memory, WebSocketBytes.binary(memory, bytes)));
  }

  /// {@return the frame for one more socket, which releases it}
  ///
  /// @throws IllegalStateException if this is closed
  ByteBuf frame() {
    return bytes().retainedDuplicate();
  }

  /// {@return the frame, to be looked at only}
  ///
  /// @throws IllegalStateException if this is closed
  ByteBuf bytes() {
    if (closed.get()) {
      throw new IllegalStateException("the message is closed; required: open");
    }
    return frame;
  }

  /// Gives the memory back as soon as every socket has sent the message. Nothing happens if it is
  /// closed already. Never a suspension point.
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      boolean _ = frame.release();
    }
  }
}
