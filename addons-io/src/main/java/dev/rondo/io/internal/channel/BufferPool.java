package dev.rondo.io.internal.channel;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/// Direct buffers of one size, each lent for as long as it holds bytes: a waiting socket holds
/// none, so ten thousand waiting connections cost no more buffers than one.
///
/// Last in, first out: the buffer used last is in the cache. Confined to the scheduler's thread.
public final class BufferPool {

  /// Room for the largest record of TLS: header, 2^14 bytes and what a cipher may add (RFC 5246,
  /// section 6.2.3: 2,048), in whole kibibytes.
  static final int BUFFER_BYTES = 19 * 1024;

  /// The rest is left to the garbage collector.
  private static final int MAX_KEPT = 256;

  private final ArrayDeque<ByteBuffer> kept = new ArrayDeque<>();
  private final boolean pooling;

  /// Keeps no buffer yet.
  public BufferPool() {
    this(true);
  }

  private BufferPool(boolean pooling) {
    this.pooling = pooling;
  }

  /// {@return a pool that never keeps a buffer: each is new, and on the heap}
  public static BufferPool none() {
    return new BufferPool(false);
  }

  /// {@return a cleared buffer of [#BUFFER_BYTES]}
  ByteBuffer take() {
    if (!pooling) {
      return ByteBuffer.allocate(BUFFER_BYTES);
    }
    ByteBuffer buffer = kept.pollLast();
    return buffer == null ? ByteBuffer.allocateDirect(BUFFER_BYTES) : buffer.clear();
  }

  /// {@return a cleared buffer with a limit: of the pool if it fits, new otherwise}
  ByteBuffer take(int limit) {
    return pooling && limit <= BUFFER_BYTES ? take().limit(limit) : ByteBuffer.allocate(limit);
  }

  /// Takes a buffer back, which must not be used any more.
  ///
  /// @param buffer dropped if it has another size
  void give(ByteBuffer buffer) {
    if (buffer.isDirect() && buffer.capacity() == BUFFER_BYTES && kept.size() < MAX_KEPT) {
      assert !holds(buffer) : "given back twice";
      kept.addLast(buffer);
    }
  }

  private boolean holds(ByteBuffer buffer) {
    for (ByteBuffer each : kept) {
      if (each == buffer) {
        return true;
      }
    }
    return false;
  }

  /// How many buffers are not lent.
  int kept() {
    return kept.size();
  }
}
