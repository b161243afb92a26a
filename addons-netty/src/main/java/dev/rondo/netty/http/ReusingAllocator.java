package dev.rondo.netty.http;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/// An allocator that hands the same small buffer out again when it was released: the encoded head
/// of a response is sent, and released, before the next one is made. So that takes none of what an
/// allocation costs, and no trace of the leak detector. All else is another allocator's.
///
/// The connections of a server share one. Confined to the thread on which it is made, which is the
/// scheduler's; what other threads allocate is the other allocator's.
final class ReusingAllocator extends AbstractByteBufAllocator {

  private static final int LEAST_BYTES = 512;
  private static final int MOST_BYTES = 1024;

  /// The only reference to a buffer is that of this allocator.
  private static final int UNUSED = 1;

  private final ByteBufAllocator others;
  private final Thread thread = Thread.currentThread();

  /// The one that is handed out, with a reference of this allocator's own; null if there is none.
  private @Nullable ByteBuf reused;

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
      forget();
    }
  }

  private void forget() {
    ByteBuf own = reused;
    reused = null;
    if (own != null) {
      boolean _ = own.release();
    }
  }

  @Override
  public ByteBuf buffer(int initialCapacity) {
    if (initialCapacity > MOST_BYTES || connections == 0 || Thread.currentThread() != thread) {
      return others.buffer(initialCapacity);
    }
    ByteBuf own = reused;
    if (own == null || !isReusable(own, initialCapacity)) {
      forget();
      own = others.buffer(Math.max(initialCapacity, LEAST_BYTES));
      reused = own;
    }
    return own.clear().capacity(initialCapacity).retain(); // some callers fill the capacity
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
