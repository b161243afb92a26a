package dev.rondo.io;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// [ByteSink#bufferedOutput(int)]. Holds no lock while it writes, and no buffer while it is empty.
final class GatheringOutput extends OutputStream {

  private final ByteSink sink;
  private final BufferPool pool;
  private final int highWaterBytes;

  /// What was gathered, from 0 to its position; null if nothing.
  private @Nullable ByteBuffer gathered;

  /// Whether a task is sending: what it sends from must not be added to.
  private boolean sending;

  GatheringOutput(ByteSink sink, BufferPool pool, int highWaterBytes) {
    if (highWaterBytes < 1) {
      throw new IllegalArgumentException(
          "highWaterBytes must be at least 1: highWaterBytes=" + highWaterBytes);
    }
    this.sink = sink;
    this.pool = pool;
    this.highWaterBytes = highWaterBytes;
  }

  @Override
  public void write(int b) throws IOException {
    withRoom().put((byte) b);
    sendIfFull();
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    int from = offset;
    int left = length;
    while (left > 0) {
      if (gathered == null && left >= highWaterBytes) {
        sink.write(ByteBuffer.wrap(bytes, from, left)); // gathering it would be a copy for nothing
        return;
      }
      ByteBuffer buffer = withRoom();
      int n = Math.min(left, buffer.remaining());
      buffer.put(bytes, from, n);
      from += n;
      left -= n;
      sendIfFull();
    }
  }

  /// Sends what was gathered. A *possible* suspension point.
  @Override
  public void flush() throws IOException {
    requireIdle();
    ByteBuffer buffer = gathered;
    if (buffer == null) {
      return;
    }
    sending = true;
    buffer.flip();
    try {
      sink.write(buffer);
    } finally {
      sending = false;
      buffer.compact().limit(Math.min(highWaterBytes, buffer.capacity()));
      if (buffer.position() == 0) {
        gathered = null;
        pool.give(buffer);
      }
    }
  }

  /// Sends what was gathered and closes the sink, also if sending fails: the rest is lost then, as
  /// the exception says.
  @Override
  public void close() throws IOException {
    try (sink) {
      flush();
    } finally {
      gathered = null;
    }
  }

  private void sendIfFull() throws IOException {
    ByteBuffer buffer = gathered;
    if (buffer != null && !buffer.hasRemaining()) {
      flush();
    }
  }

  private ByteBuffer withRoom() throws IOException {
    requireIdle();
    sendIfFull(); // what an earlier failure has left
    ByteBuffer buffer = gathered;
    if (buffer == null) {
      if (!sink.isOpen()) {
        throw new ChannelClosedException("write to " + sink + ": this side has closed it");
      }
      buffer =
          highWaterBytes <= BufferPool.BUFFER_BYTES
              ? pool.take().limit(highWaterBytes)
              : ByteBuffer.allocate(highWaterBytes);
      gathered = buffer;
    }
    return buffer;
  }

  private void requireIdle() {
    if (sending) {
      throw new IllegalStateException(
          this + ": another task is sending what was gathered; wait for it");
    }
  }

  @Override
  public String toString() {
    return "buffered output of " + sink;
  }
}
