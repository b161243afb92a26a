package dev.rondo.io;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The writing half of a socket: one write at a time, made of as many attempts as it takes. The
/// object is its own wait, used again for each write: a write that is taken at once allocates
/// nothing.
final class Outbound extends ChannelWait {

  /// The JDK copies *all* that is left of a heap buffer into a direct one for each attempt; so it
  /// gets a piece at a time.
  static final int MOST_HEAP_BYTES = 128 * 1024;

  /// Pieces in one attempt: a peer that keeps up with us must not keep the loop.
  private static final int MOST_PIECES = 16;

  private static final ByteBuffer NOTHING = ByteBuffer.wrap(new byte[0]);

  private final Scheduler scheduler;
  private final SocketChannel channel;
  private @Nullable Duration timeout;

  /// Whose write is on its way; null if none is.
  private @Nullable Task<?> owner;

  private ByteBuffer source = NOTHING;

  /// Around the array that a stream's user wrote from last; nearly always the same one again.
  private ByteBuffer lastView = ByteBuffer.wrap(new byte[0]);

  Outbound(Scheduler scheduler, SocketChannel channel, Registration registration) {
    super(registration, SelectionKey.OP_WRITE);
    this.scheduler = scheduler;
    this.channel = channel;
  }

  void timeout(@Nullable Duration limit) {
    timeout = limit;
  }

  /// For a stream.
  void write(byte[] bytes, int offset, int length) throws IOException {
    requireIdle();
    if (lastView.array() != bytes) {
      lastView = ByteBuffer.wrap(bytes);
    }
    write(lastView.limit(offset + length).position(offset));
  }

  int write(ByteBuffer src) throws IOException {
    requireIdle();
    int first = src.position();
    owner = scheduler.currentTask();
    source = src;
    try {
      do {
        Duration limit = timeout;
        if (limit == null) {
          scheduler.await(this);
        } else {
          scheduler.await(this, limit);
        }
        throwIfFailed();
      } while (src.hasRemaining()); // scheduled directly: not a reason to stop half-way
      return src.position() - first;
    } catch (Throwable e) {
      e.addSuppressed(
          new PartialWriteException(toString(), src.position() - first, src.remaining()));
      throw e;
    } finally {
      owner = null;
      source = NOTHING;
    }
  }

  private void requireIdle() {
    Task<?> other = owner;
    if (other != null) {
      throw Registration.busy(this, scheduler.currentTask(), other);
    }
  }

  @Override
  boolean attempt() throws IOException {
    ByteBuffer src = source;
    for (int i = 0; i < MOST_PIECES; i++) {
      int piece = src.isDirect() ? src.remaining() : Math.min(src.remaining(), MOST_HEAP_BYTES);
      if (write(src, piece) < piece) {
        return false;
      }
      if (!src.hasRemaining()) {
        return true;
      }
    }
    return false;
  }

  private int write(ByteBuffer src, int bytes) throws IOException {
    int end = src.limit();
    src.limit(src.position() + bytes);
    try {
      return channel.write(src);
    } finally {
      src.limit(end);
    }
  }

  @Override
  public String toString() {
    return "write to " + registration;
  }
}
