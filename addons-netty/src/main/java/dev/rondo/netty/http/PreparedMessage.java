package dev.rondo.netty.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
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

  // RFC 6455, 5.2. A server masks nothing, so the frame is the same for all clients.
  private static final int FINAL_TEXT = 0x81;
  private static final int FINAL_BINARY = 0x82;
  private static final int MOST_IN_ONE_BYTE = 125;
  private static final int TWO_BYTES_FOLLOW = 126;
  private static final int EIGHT_BYTES_FOLLOW = 127;
  private static final int MOST_IN_TWO_BYTES = 0xFFFF;
  private static final int HEADER_BYTES = 10;

  private final ByteBuf frame;
  private final AtomicBoolean closed = new AtomicBoolean();

  private PreparedMessage(ByteBuf frame) {
    this.frame = frame;
  }

  /// {@return a text} Never a suspension point.
  ///
  /// @param text sent as UTF-8
  public static PreparedMessage text(String text) {
    return text(ByteBufAllocator.DEFAULT, Objects.requireNonNull(text, "text is null"));
  }

  static PreparedMessage text(ByteBufAllocator memory, String text) {
    int count = ByteBufUtil.utf8Bytes(text);
    ByteBuf frame = begun(memory, FINAL_TEXT, count);
    int _ = ByteBufUtil.reserveAndWriteUtf8(frame, text, count);
    return new PreparedMessage(frame);
  }

  /// {@return a message of bytes} Never a suspension point.
  ///
  /// @param bytes copied
  public static PreparedMessage binary(byte[] bytes) {
    return binary(ByteBufAllocator.DEFAULT, Objects.requireNonNull(bytes, "bytes is null"));
  }

  static PreparedMessage binary(ByteBufAllocator memory, byte[] bytes) {
    return new PreparedMessage(begun(memory, FINAL_BINARY, bytes.length).writeBytes(bytes));
  }

  private static ByteBuf begun(ByteBufAllocator memory, int kind, int count) {
    ByteBuf frame = memory.directBuffer(HEADER_BYTES + count).writeByte(kind);
    if (count <= MOST_IN_ONE_BYTE) {
      return frame.writeByte(count);
    }
    return count <= MOST_IN_TWO_BYTES
        ? frame.writeByte(TWO_BYTES_FOLLOW).writeShort(count)
        : frame.writeByte(EIGHT_BYTES_FOLLOW).writeLong(count);
  }

  /// {@return the frame for one more socket, which releases it}
  ///
  /// @throws IllegalStateException if this is closed
  ByteBuf frame() {
    if (closed.get()) {
      throw new IllegalStateException("the message is closed; required: open");
    }
    return frame.retainedDuplicate();
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
