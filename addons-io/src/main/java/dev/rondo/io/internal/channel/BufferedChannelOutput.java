package dev.rondo.io.internal.channel;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A socket or pipe as an `OutputStream` that collects small writes and sends them together. Holds
/// no lock while it writes, and no buffer while it is empty.
public final class BufferedChannelOutput extends OutputStream {

  private final WritableByteChannel sink;
  private final Function<String, ? extends ClosedChannelException> closed;
  private final BufferPool pool;
  private final int highWaterBytes;

  /// The collected bytes, from 0 to the position; null if there are none.
  private @Nullable ByteBuffer collected;

  /// Whether a task is sending, so that nothing may be added to the buffer.
  private boolean sending;

  /// Nothing is collected yet.
  ///
  /// @param sink closed with this; a write sends all
  /// @param reactor of the sink
  /// @param highWaterBytes how many bytes are collected before a write sends them, at least one
  /// @throws IllegalArgumentException if `highWaterBytes` is less than one
  public BufferedChannelOutput(WritableByteChannel sink, Reactor reactor, int highWaterBytes) {
    this(sink, reactor.failures()::closed, reactor.buffers(), highWaterBytes);
  }

  /// Nothing is collected yet.
  ///
  /// @param sink closed with this; a write sends all
  /// @param closed the exception for a sink that is closed
  /// @param pool where the buffer comes from
  /// @param highWaterBytes how many bytes are collected before a write sends them, at least one
  /// @throws IllegalArgumentException if `highWaterBytes` is less than one
  public BufferedChannelOutput(
      WritableByteChannel sink,
      Function<String, ? extends ClosedChannelException> closed,
      BufferPool pool,
      int highWaterBytes) {
    if (highWaterBytes < 1) {
      throw new IllegalArgumentException(
          "highWaterBytes must be at least 1: highWaterBytes=" + highWaterBytes);
    }
    this.sink = sink;
    this.closed = closed;
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
    Objects.requireNonNull(bytes, "bytes is null");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    int from = offset;
    int left = length;
    while (left > 0) {
      if (collected == null && left >= highWaterBytes) {
        sink.write(
            ByteBuffer.wrap(bytes, from, left)); // collecting them would copy them for nothing
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

  /// Sends the collected bytes. A *possible* suspension point.
  @Override
  public void flush() throws IOException {
    requireIdle();
    ByteBuffer buffer = collected;
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
        collected = null;
        pool.give(buffer);
      }
    }
  }

  /// Sends the collected bytes and closes the sink, even if sending fails: then the rest is lost,
  /// as the exception says.
  @Override
  public void close() throws IOException {
    try (sink) {
      flush();
    } finally {
      collected = null;
    }
  }

  private void sendIfFull() throws IOException {
    ByteBuffer buffer = collected;
    if (buffer != null && !buffer.hasRemaining()) {
      flush();
    }
  }

  private ByteBuffer withRoom() throws IOException {
    requireIdle();
    sendIfFull(); // the rest that an earlier failure has left
    ByteBuffer buffer = collected;
    if (buffer == null) {
      if (!sink.isOpen()) {
        throw closed.apply("write to " + sink + ": this side has closed it");
      }
      buffer = pool.take(highWaterBytes);
      collected = buffer;
    }
    return buffer;
  }

  private void requireIdle() {
    if (sending) {
      throw new IllegalStateException(
          this + ": another task is sending the collected bytes; wait for it");
    }
  }

  @Override
  public String toString() {
    return "buffered output of " + sink;
  }
}
