package dev.rondo.http.websocket.internal;

import dev.rondo.http.websocket.PreparedMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.atomic.AtomicBoolean;

/// A [PreparedMessage]: the frame that each socket sends. Its memory is released when this object
/// is closed and the last socket has sent the frame.
///
/// Immutable; any thread.
public final class PreparedFrame implements PreparedMessage {

  private final ByteBuf frame;
  private final AtomicBoolean closed = new AtomicBoolean();

  private PreparedFrame(ByteBuf frame) {
    this.frame = frame;
  }

  /// {@return the same frame outside of the heap, from where each socket can send it without a
  /// copy}
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

  /// {@return a text}
  public static PreparedFrame text(ByteBufAllocator memory, String text) {
    return new PreparedFrame(direct(memory, WebSocketBytes.text(memory, text)));
  }

  /// {@return a message of bytes}
  public static PreparedFrame binary(ByteBufAllocator memory, byte[] bytes) {
    return new PreparedFrame(direct(memory, WebSocketBytes.binary(memory, bytes)));
  }

  /// {@return the frame for one more socket, which releases it}
  ///
  /// @throws IllegalStateException if this is closed
  public ByteBuf frame() {
    return bytes().retainedDuplicate();
  }

  /// {@return the frame, for reading only}
  ///
  /// @throws IllegalStateException if this is closed
  public ByteBuf bytes() {
    if (closed.get()) {
      throw new IllegalStateException("the message is closed; required: open");
    }
    return frame;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      boolean _ = frame.release();
    }
  }
}
