package dev.rondo.http.internal;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The body of a request or response, sent in parts while a task writes it.
///
/// Confined to the scheduler's thread.
public final class SentBody extends OutputStream {

  private static final int PART_BYTES = 8 << 10;

  /// The length is not known.
  public static final long OPEN_END = -1;

  private final MessageWire wire;
  private final long lengthBytes;

  /// Whether the peer wants no body.
  private final boolean headOnly;

  private @Nullable ByteBuf part;
  private long writtenBytes;
  private boolean closed;
  private boolean ended;
  private boolean complete;

  /// @param lengthBytes as announced; OPEN_END if no length was announced
  public SentBody(MessageWire wire, long lengthBytes, boolean headOnly) {
    this.wire = wire;
    this.lengthBytes = lengthBytes;
    this.headOnly = headOnly;
  }

  public long writtenBytes() {
    return headOnly ? 0 : writtenBytes;
  }

  /// Whether the whole body was sent.
  public boolean isComplete() {
    return complete;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (closed) {
      throw new IOException("the body has ended");
    }
    if (lengthBytes != OPEN_END && writtenBytes + length > lengthBytes) {
      throw new IllegalStateException(
          "the body is longer than its Content-Length says; required=%,d, found=%,d"
              .formatted(lengthBytes, writtenBytes + length));
    }
    writtenBytes += length;
    if (headOnly) {
      return;
    }
    for (int from = offset, left = length; left > 0; ) {
      ByteBuf room = part;
      if (room == null) {
        room = wire.newBuffer(PART_BYTES);
        part = room;
      }
      int count = Math.min(left, PART_BYTES - room.readableBytes());
      room.writeBytes(bytes, from, count);
      from += count;
      left -= count;
      if (room.readableBytes() == PART_BYTES) {
        flush();
      }
    }
  }

  /// Sends a part as it is. There must be no unsent bytes.
  ///
  /// @param whole released here, also on failure
  /// @param count of its bytes
  public void send(Object whole, long count) throws IOException {
    wire.send(whole);
    writtenBytes += count;
  }

  /// Sends all written bytes. A *possible* suspension point.
  @Override
  public void flush() throws IOException {
    ByteBuf full = part;
    if (full != null && !closed) {
      part = null;
      wire.send(new DefaultHttpContent(full));
    }
  }

  /// Ends writing. [#end()] sends the rest and checks the length after the writing code has
  /// returned. It cannot be done here, because code that fails closes its stream too. Then the peer
  /// must not take the body for complete, and a short body must not hide the failure.
  @Override
  public void close() {
    closed = true;
  }

  /// Sends the rest, and ends the message. A *possible* suspension point.
  public void end() throws IOException {
    if (ended) {
      return;
    }
    close();
    if (lengthBytes != OPEN_END && writtenBytes < lengthBytes && !headOnly) {
      throw new IllegalStateException(
          "the body is shorter than its Content-Length says; required=%,d, found=%,d"
              .formatted(lengthBytes, writtenBytes));
    }
    ended = true;
    ByteBuf last = part;
    part = null;
    wire.end(last == null ? LastHttpContent.EMPTY_LAST_CONTENT : new DefaultLastHttpContent(last));
    complete = true;
  }

  /// Gives up: the message stays incomplete.
  public void abort() {
    closed = true;
    ended = true;
    ByteBuf left = part;
    part = null;
    if (left != null) {
      left.release();
    }
  }
}
