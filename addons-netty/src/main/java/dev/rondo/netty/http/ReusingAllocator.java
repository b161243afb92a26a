package dev.rondo.netty.http;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/// An allocator that hands small buffers out again when they were released: the encoded head of a
/// response needs one until it is sent. So that takes none of what an allocation costs, and no
/// trace of the leak detector. All else is another allocator's.
///
/// The buffers are in a ring. On epoll a response is sent, and its buffer released, before the next
/// one is made: there is one buffer, which stays in the processor's caches. On io_uring a response
/// is sent after the tasks that are ready, so each takes the next buffer, which has been released
/// longest. At most 64 buffers of up to 1 KiB are kept.
///
/// The connections of a server share one. Confined to the thread on which it is made, which is the
/// scheduler's; what other threads allocate is the other allocator's.
final class ReusingAllocator extends AbstractByteBufAllocator {

  private static final int LEAST_BYTES = 512;
  private static final int MOST_BYTES = 1024;

  /// A power of two.
  private static final int MOST_BUFFERS = 64;

  /// The only reference to a buffer is that of this allocator.
  private static final int UNUSED = 1;

  private final ByteBufAllocator others;
  private final Thread thread = Thread.currentThread();

  /// Those that are handed out, each with a reference of this allocator's own; null where there is
  /// none.
  private final @Nullable ByteBuf[] ring = new ByteBuf[MOST_BUFFERS];

  /// Where the last one is that was handed out.
  private int last;

  /// The connections that are open.
  private int connections;

  ReusingAllocator(ByteBufAllocator others) {
    super(true);
    this.others = others;
  }

  /// Allocates for a connection until that is closed. After the last one nothing is kept.
  void serve(Channel connection) {
    connections++;
    connection.config().setAllocator(this);
    connection.closeFuture().addListener(closed -> left());
  }

  private void left() {
    connections--;
    if (connections == 0) {
      for (int i = 0; i < MOST_BUFFERS; i++) {
        forget(i);
      }
    }
  }

  private void forget(int place) {
    ByteBuf own = ring[place];
    ring[place] = null;
    if (own != null) {
      boolean _ = own.release();
    }
  }

  @Override
  public ByteBuf buffer(int initialCapacity) {
    if (initialCapacity > MOST_BYTES || connections == 0 || Thread.currentThread() != thread) {
      return others.buffer(initialCapacity);
    }
    ByteBuf own = ring[last];
    if (own != null && own.refCnt() != UNUSED) {
      own = next(own);
    }
    if (own == null || !isReusable(own, initialCapacity)) {
      forget(last);
      own = others.buffer(Math.max(initialCapacity, LEAST_BYTES));
      ring[last] = own;
    }
    return own.clear().capacity(initialCapacity).retain(); // some callers fill the capacity
  }

  /// {@return the buffer behind the last one, which is in use; null if there is none} One that has
  /// grown is not kept until it is its turn again.
  private @Nullable ByteBuf next(ByteBuf inUse) {
    if (inUse.capacity() > MOST_BYTES) {
      forget(last);
    }
    last = (last + 1) % MOST_BUFFERS;
    return ring[last];
  }

  @Override
  public ByteBuf buffer() {
    return others.buffer();
  }

  @Override
  public ByteBuf buffer(int initialCapacity, int maxCapacity) {
    return others.buffer(initialCapacity, maxCapacity);
  }

  /// One that has grown is not kept.
  private static boolean isReusable(ByteBuf buffer, int bytes) {
    if (buffer.refCnt() != UNUSED) {
      return false;
    }
    int most = buffer.clear().maxFastWritableBytes();
    return bytes <= most && most <= MOST_BYTES;
  }

  @Override
  public ByteBuf heapBuffer(int initialCapacity, int maxCapacity) {
    return others.heapBuffer(initialCapacity, maxCapacity);
  }

  @Override
  public ByteBuf directBuffer(int initialCapacity, int maxCapacity) {
    return others.directBuffer(initialCapacity, maxCapacity);
  }

  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    return others.heapBuffer(initialCapacity, maxCapacity);
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    return others.directBuffer(initialCapacity, maxCapacity);
  }

  @Override
  public boolean isDirectBufferPooled() {
    return others.isDirectBufferPooled();
  }
}
