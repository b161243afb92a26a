package dev.rondo.netty.internal;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.util.ResourceLeakDetector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// An allocator for the channels of one loop. It reuses small direct buffers, the last released
/// buffer first, because its bytes are still in the processor's caches. Reuse costs much less than
/// an allocation, and needs no trace of the leak detector. The capacity of a buffer may be larger
/// than requested. Another allocator makes all other buffers.
///
/// It makes at most 256 buffers of 2 KiB, 16 of 18 KiB, which hold a TLS record, and 64 more of 2
/// KiB for codecs. It keeps them as long as it is reachable. While all of them are in use, the
/// other allocator makes buffers. A program that does not release received buffers soon uses these,
/// and the leak detector, which sees them, reports the leak. At the levels ADVANCED and PARANOID
/// the detector sees all buffers.
///
/// Confined to the thread on which it is made, which is the loop's. The other allocator serves
/// other threads. Any thread may release a buffer.
public final class ReusingAllocator extends AbstractByteBufAllocator {

  private static final int SMALL_BYTES = 2 << 10;
  private static final int LARGE_BYTES = 18 << 10;
  private static final int MOST_SMALL = 256;
  private static final int MOST_LARGE = 16;
  private static final int MOST_ENCODED = 64;

  private final ByteBufAllocator others;

  private final Thread thread;
  private final Pile small;
  private final Pile large;

  /// The small buffers for [#buffer(int)]; null if the other allocator makes them. They are apart
  /// because each open connection on io_uring holds a read buffer.
  private final @Nullable Pile encoded;

  private ReusingAllocator(ByteBufAllocator others) {
    super(true);
    this.others = others;
    this.thread = Thread.currentThread();
    this.small = new Pile(this, SMALL_BYTES, MOST_SMALL);
    this.large = new Pile(this, LARGE_BYTES, MOST_LARGE);
    this.encoded = null;
  }

  /// For codecs, with the buffers of another allocator of this class.
  private ReusingAllocator(ReusingAllocator same) {
    super(true);
    this.others = same.others;
    this.thread = same.thread;
    this.small = same.small;
    this.large = same.large;
    this.encoded = new Pile(this, SMALL_BYTES, MOST_ENCODED);
  }

  /// {@return an allocator that reuses direct buffers of a given size, which hold received bytes}
  /// The other allocator makes all other buffers, because a program may fill them with more than it
  /// has requested.
  ///
  /// @param others allocates all else
  public static ReusingAllocator ofReads(ByteBufAllocator others) {
    return new ReusingAllocator(others);
  }

  /// {@return an allocator for codecs that know the encoded size: all buffers of a given size are
  /// reused}
  ///
  /// @param memory an allocator of this class, whose other buffers are shared, or the allocator of
  ///   all other buffers
  public static ReusingAllocator ofCodecs(ByteBufAllocator memory) {
    return new ReusingAllocator(memory instanceof ReusingAllocator same ? same : ofReads(memory));
  }

  @Override
  public ByteBuf directBuffer(int initialCapacity, int maxCapacity) {
    ByteBuf own = taken(small, initialCapacity, maxCapacity);
    return own == null ? others.directBuffer(initialCapacity, maxCapacity) : own;
  }

  /// {@return a reused buffer; null if there is none}
  ///
  /// @param ifSmall the pile of small buffers
  private @Nullable ByteBuf taken(Pile ifSmall, int initialCapacity, int maxCapacity) {
    if (initialCapacity > LARGE_BYTES || initialCapacity < 0 || Thread.currentThread() != thread) {
      return null;
    }
    Pile pile = initialCapacity <= SMALL_BYTES ? ifSmall : large;
    Reusable own = maxCapacity < pile.bytes ? null : pile.take();
    if (own == null) {
      return null;
    }
    own.begin(maxCapacity);
    boolean tracked =
        ResourceLeakDetector.getLevel().compareTo(ResourceLeakDetector.Level.SIMPLE) > 0;
    return tracked ? toLeakAwareBuffer(own) : own;
  }

  @Override
  public ByteBuf buffer(int initialCapacity) {
    ByteBuf own = encoded == null ? null : taken(encoded, initialCapacity, Integer.MAX_VALUE);
    return own == null ? others.buffer(initialCapacity) : own;
  }

  // Buffers of the other allocator.

  @Override
  public ByteBuf buffer() {
    return others.buffer();
  }

  @Override
  public ByteBuf buffer(int initialCapacity, int maxCapacity) {
    return others.buffer(initialCapacity, maxCapacity);
  }

  @Override
  public ByteBuf directBuffer() {
    return others.directBuffer();
  }

  @Override
  public ByteBuf heapBuffer(int initialCapacity, int maxCapacity) {
    return others.heapBuffer(initialCapacity, maxCapacity);
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

  /// The buffers of one size.
  private static final class Pile {

    private final ReusingAllocator allocator;
    private final int bytes;
    private final int most;

    /// The released buffers, the last one on top.
    private final @Nullable Reusable[] free;

    private int count;

    /// The number of buffers, in use or not.
    private int made;

    /// The buffers that other threads have released.
    private final Queue<Reusable> returned = new ConcurrentLinkedQueue<>();

    Pile(ReusingAllocator allocator, int bytes, int most) {
      this.allocator = allocator;
      this.bytes = bytes;
      this.most = most;
      this.free = new Reusable[most];
    }

    /// {@return a buffer; null if all are in use}
    @Nullable Reusable take() {
      return count > 0 ? free[--count] : takeReturned();
    }

    private @Nullable Reusable takeReturned() {
      for (Reusable each; (each = returned.poll()) != null; ) {
        if (each.capacity() == bytes) {
          return each;
        }
        made--;
      }
      if (made == most) {
        return null;
      }
      made++;
      return new Reusable(this);
    }
  }

  /// A buffer that goes back to its pile. The garbage collector frees its memory, because to close
  /// a shared arena of the JDK is expensive.
  private static final class Reusable extends UnpooledDirectByteBuf {

    private final Pile home;

    Reusable(Pile home) {
      super(home.allocator, home.bytes, Integer.MAX_VALUE);
      this.home = home;
    }

    /// Begins another use.
    void begin(int maxCapacity) {
      maxCapacity(maxCapacity);
      resetRefCnt();
      clear().markReaderIndex().markWriterIndex();
    }

    @Override
    protected void deallocate() {
      boolean changed = capacity() != home.bytes; // the buffer has been given other memory
      if (changed) {
        super.deallocate();
      }
      if (Thread.currentThread() != home.allocator.thread) {
        home.returned.add(this);
      } else if (changed) {
        home.made--;
      } else {
        home.free[home.count++] = this;
      }
    }
  }
}
