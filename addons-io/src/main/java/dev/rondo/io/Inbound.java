package dev.rondo.io;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/// The reading half of a byte stream, and what was received and not taken yet.
///
/// What is *held* was received for [#readUntil] or for small pieces. Every read takes that first.
/// Its buffer is lent by the pool, and only while there are bytes in it.
///
/// A read that got less than it had room for has drained the stream as far as the system knows. The
/// next one then does not ask again, which would be a system call for nothing, but waits for the
/// selector to say that there is more.
final class Inbound extends Direction {

  /// The JDK reads into a direct buffer as large as the heap buffer it was given, and copies.
  private static final int MOST_HEAP_BYTES = Outbound.MOST_HEAP_BYTES;

  /// Smaller reads of a stream go through what is held.
  private static final int SMALL_BYTES = 1024;

  private ReadableByteChannel channel;
  private final BufferPool pool;

  /// Where the current read goes; null if what comes is to be held.
  private @Nullable ByteBuffer target;

  /// How the current read ended, as [ReadableByteChannel#read] tells it.
  private int result;

  /// Holds `held[start..end)`; null if nothing.
  private @Nullable ByteBuffer held;

  private int start;
  private int end;

  /// Around the array that a stream's user read into last; nearly always the same one again.
  private ByteBuffer lastView = ByteBuffer.wrap(new byte[0]);

  Inbound(Scheduler scheduler, ReadableByteChannel channel, ChannelRegistration registration) {
    super(scheduler, registration, SelectionKey.OP_READ);
    this.channel = channel;
    this.pool = registration.io.buffers();
  }

  /// Reads from another channel from now on: the socket's own, which knows what was shut down.
  void useOnly(ReadableByteChannel own) {
    channel = own;
  }

  boolean holdsSome() {
    return start < end;
  }

  int heldBytes() {
    return end - start;
  }

  /// Forgets what is held.
  void drop() {
    start = end;
    release();
  }

  // Reading.

  int read(ByteBuffer dst) throws IOException {
    begin();
    try {
      return readInto(writable(dst));
    } finally {
      end();
    }
  }

  void readFully(ByteBuffer dst) throws IOException {
    int first = writable(dst).position();
    begin();
    try {
      while (dst.hasRemaining()) {
        if (readInto(dst) < 0) {
          int had = dst.position() - first;
          throw new EndOfStreamException(
              "%s: the peer ended the stream: wanted=%d bytes, had=%d bytes"
                  .formatted(this, had + dst.remaining(), had),
              had);
        }
      }
    } finally {
      end();
    }
  }

  /// For a stream.
  ///
  /// @return 0 only if the waiting task was scheduled directly, or length is 0
  int read(byte[] bytes, int offset, int length) throws IOException {
    begin();
    try {
      if (length == 0) {
        return 0;
      }
      if (!holdsSome()) {
        if (length >= SMALL_BYTES) {
          if (lastView.array() != bytes) {
            lastView = ByteBuffer.wrap(bytes);
          }
          return receive(lastView.limit(offset + length).position(offset));
        }
        int n = receive(null);
        if (n <= 0) {
          return n;
        }
      }
      int n = Math.min(length, heldBytes());
      heldBuffer().get(start, bytes, offset, n);
      start += n;
      return n;
    } finally {
      end();
    }
  }

  byte @Nullable [] readUntil(byte delimiter, int limitBytes) throws IOException {
    begin();
    try {
      int length = await(delimiter, limitBytes);
      if (length < 0 && holdsSome()) {
        throw new EndOfStreamException(
            "%s: the peer ended the stream before delimiter 0x%02x: had=%d bytes"
                .formatted(this, delimiter, heldBytes()),
            heldBytes());
      }
      return length < 0 ? null : take(length, 1);
    } finally {
      end();
    }
  }

  @Nullable String readLine(int limitBytes, Charset charset) throws IOException {
    begin();
    try {
      int length = await((byte) '\n', limitBytes);
      if (length < 0 && !holdsSome()) {
        return null;
      }
      byte[] line = length < 0 ? take(heldBytes(), 0) : take(length, 1);
      int last = line.length - 1;
      return new String(line, 0, last >= 0 && line[last] == '\r' ? last : line.length, charset);
    } finally {
      end();
    }
  }

  /// Receives until a delimiter is held.
  ///
  /// @return how many bytes are before it; -1 if the stream ended
  private int await(byte delimiter, int limitBytes) throws IOException {
    if (limitBytes < 0) {
      throw new IllegalArgumentException("limit must be at least 0 bytes: limit=" + limitBytes);
    }
    int seen = 0;
    while (true) {
      if (holdsSome()) {
        ByteBuffer buffer = heldBuffer();
        for (; start + seen < end; seen++) {
          if (buffer.get(start + seen) == delimiter) {
            return seen;
          } else if (seen == limitBytes) {
            throw new DelimiterNotFoundException(
                "%s: no delimiter 0x%02x within limit=%d bytes"
                    .formatted(this, delimiter, limitBytes));
          }
        }
      }
      if (receive(null) < 0) {
        return -1;
      }
    }
  }

  private byte[] take(int length, int skip) {
    var taken = new byte[length];
    heldBuffer().get(start, taken);
    start += length + skip;
    return taken;
  }

  private ByteBuffer writable(ByteBuffer dst) {
    if (dst.isReadOnly()) {
      throw new IllegalArgumentException(
          this + ": needs a buffer that can be written to: dst=" + dst,
          new ReadOnlyBufferException());
    }
    return dst;
  }

  // One read.

  @Override
  void end() {
    super.end();
    target = null;
    if (!holdsSome()) {
      release();
    }
  }

  private int readInto(ByteBuffer dst) throws IOException {
    if (!dst.hasRemaining()) {
      return 0;
    }
    return holdsSome() ? giveHeld(dst) : receive(dst);
  }

  private int giveHeld(ByteBuffer dst) {
    int n = Math.min(dst.remaining(), heldBytes());
    dst.put(dst.position(), heldBuffer(), start, n);
    dst.position(dst.position() + n);
    start += n;
    return n;
  }

  /// @param dst null if it is to be held
  private int receive(@Nullable ByteBuffer dst) throws IOException {
    target = dst;
    result = 0;
    await();
    return result;
  }

  @Override
  boolean attempt() throws IOException {
    return !registration.isDrained() && attemptWhenReady();
  }

  @Override
  boolean attemptWhenReady() throws IOException {
    ByteBuffer dst = target;
    result = dst == null ? readMore() : readSome(dst);
    return result != 0;
  }

  private int readMore() throws IOException {
    ByteBuffer into = roomy();
    try {
      int n = readSome(into.limit(into.capacity()).position(end));
      end += Math.max(0, n);
      return n;
    } finally {
      if (!holdsSome()) {
        release(); // while it waits it has no buffer
      }
    }
  }

  private int readSome(ByteBuffer dst) throws IOException {
    int room = dst.isDirect() ? dst.remaining() : Math.min(dst.remaining(), MOST_HEAP_BYTES);
    int limit = dst.limit();
    dst.limit(dst.position() + room);
    try {
      int n = channel.read(dst);
      registration.drained(n >= 0 && n < room);
      return n;
    } finally {
      dst.limit(limit);
    }
  }

  // The buffer of what is held.

  private ByteBuffer heldBuffer() {
    ByteBuffer buffer = held;
    if (buffer == null) {
      throw new AssertionError("nothing is held: " + this);
    }
    return buffer;
  }

  private ByteBuffer roomy() {
    ByteBuffer buffer = held;
    if (buffer == null) {
      start = 0;
      end = 0;
      buffer = pool.take();
    } else if (end == buffer.capacity()) {
      int length = heldBytes();
      if (start > 0) {
        buffer.limit(end).position(start).compact();
      } else {
        ByteBuffer larger = ByteBuffer.allocate(Math.multiplyExact(length, 2));
        larger.put(0, buffer, 0, length);
        pool.give(buffer);
        buffer = larger;
      }
      start = 0;
      end = length;
    }
    held = buffer;
    return buffer;
  }

  private void release() {
    ByteBuffer buffer = held;
    if (buffer != null) {
      held = null;
      pool.give(buffer);
    }
  }

  @Override
  public String toString() {
    return "read from " + registration;
  }

  // Reading as a branch of a choice.

  Waitable<Integer> reading(ByteBuffer dst) {
    writable(dst);
    return Waitable.guard(() -> {
      requireIdle();
      var wait = new Reading(dst);
      return wait.map(ignored -> ChannelWait.result(wait, wait.bytes));
    });
  }

  /// {@return there being something to read, told by the socket itself}
  <S> Waitable<S> ready(S socket) {
    return ready(socket, this::holdsSome);
  }

  private final class Reading extends ChannelWait {

    private final ByteBuffer dst;
    private int bytes;

    Reading(ByteBuffer dst) {
      super(Inbound.this.registration, SelectionKey.OP_READ);
      this.dst = dst;
    }

    @Override
    boolean attempt() throws IOException {
      if (holdsSome() && channel.isOpen()) {
        bytes = giveHeld(dst);
        if (!holdsSome()) {
          release();
        }
      } else {
        bytes = readSome(dst);
      }
      return bytes != 0 || !dst.hasRemaining();
    }

    @Override
    public String toString() {
      return Inbound.this.toString();
    }
  }
}
