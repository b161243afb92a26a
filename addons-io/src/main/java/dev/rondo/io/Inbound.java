package dev.rondo.io;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The reading half of a socket: one read at a time, and what was received and not taken yet. The
/// object is its own wait, used again for each read: a read allocates nothing.
///
/// What is *held* was received for [#readUntil] or for small pieces. Every read takes that first.
final class Inbound extends ChannelWait {

  /// The JDK reads into a direct buffer as large as the heap buffer it was given, and copies.
  private static final int MOST_HEAP_BYTES = Outbound.MOST_HEAP_BYTES;

  private static final int HELD_BYTES = 8 * 1024;

  /// Smaller reads of a stream go through what is held.
  private static final int SMALL_BYTES = 1024;

  private static final byte[] NONE = {};

  private final Scheduler scheduler;
  private final SocketChannel channel;
  private @Nullable Duration timeout;

  /// Whose read is on its way; null if none is.
  private @Nullable Task<?> owner;

  /// Where the current read goes; null if what comes is to be held.
  private @Nullable ByteBuffer target;

  /// How the current read ended, as [java.nio.channels.ReadableByteChannel#read] tells it.
  private int result;

  /// What is held: `held[start..end)`.
  private byte[] held = NONE;

  private int start;
  private int end;

  /// Around `held`.
  private ByteBuffer heldView = ByteBuffer.wrap(NONE);

  /// Around the array that a stream's user read into last; nearly always the same one again.
  private ByteBuffer lastView = ByteBuffer.wrap(NONE);

  Inbound(Scheduler scheduler, SocketChannel channel, Registration registration) {
    super(registration, SelectionKey.OP_READ);
    this.scheduler = scheduler;
    this.channel = channel;
  }

  void timeout(@Nullable Duration limit) {
    timeout = limit;
  }

  boolean holdsSome() {
    return start < end;
  }

  int heldBytes() {
    return end - start;
  }

  void drop() {
    start = end;
  }

  // Reading.

  int read(ByteBuffer dst) throws IOException {
    begin();
    try {
      return readInto(writable(dst));
    } finally {
      finish();
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
      finish();
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
        int n = receiveMore();
        if (n <= 0) {
          return n;
        }
      }
      int n = Math.min(length, end - start);
      System.arraycopy(held, start, bytes, offset, n);
      start += n;
      return n;
    } finally {
      finish();
    }
  }

  byte @Nullable [] readUntil(byte delimiter, int limitBytes) throws IOException {
    begin();
    try {
      int length = await(delimiter, limitBytes);
      if (length < 0 && holdsSome()) {
        throw new EndOfStreamException(
            "%s: the peer ended the stream before delimiter 0x%02x: had=%d bytes"
                .formatted(this, delimiter, end - start),
            end - start);
      }
      return length < 0 ? null : take(length, 1);
    } finally {
      finish();
    }
  }

  byte @Nullable [] readLine(int limitBytes) throws IOException {
    begin();
    try {
      int length = await((byte) '\n', limitBytes);
      if (length >= 0) {
        return take(length, 1);
      }
      return holdsSome() ? take(end - start, 0) : null;
    } finally {
      finish();
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
      for (; start + seen < end; seen++) {
        if (held[start + seen] == delimiter) {
          return seen;
        } else if (seen == limitBytes) {
          throw new DelimiterNotFoundException(
              "%s: no delimiter 0x%02x within limit=%d bytes"
                  .formatted(this, delimiter, limitBytes));
        }
      }
      if (receiveMore() < 0) {
        return -1;
      }
    }
  }

  private byte[] take(int length, int skip) {
    byte[] taken = Arrays.copyOfRange(held, start, start + length);
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

  private void begin() throws IOException {
    Task<?> other = owner;
    Task<?> self = scheduler.currentTask();
    if (other != null) {
      throw Registration.busy(this, self, other);
    }
    if (self != null) {
      registration.requireFree(this, self);
    }
    IOException why = registration.whyNot();
    if (why != null) {
      throw why instanceof ChannelClosedException ? closed() : translated(why);
    }
    owner = self;
  }

  private void finish() {
    owner = null;
    target = null;
  }

  private int readInto(ByteBuffer dst) throws IOException {
    if (!dst.hasRemaining()) {
      return 0;
    }
    return holdsSome() ? giveHeld(dst) : receive(dst);
  }

  private int giveHeld(ByteBuffer dst) {
    int n = Math.min(dst.remaining(), end - start);
    dst.put(held, start, n);
    start += n;
    return n;
  }

  /// Receives what is to be held.
  private int receiveMore() throws IOException {
    makeRoom();
    return receive(null);
  }

  private int receive(@Nullable ByteBuffer dst) throws IOException {
    target = dst;
    result = 0;
    Duration limit = timeout;
    if (limit == null) {
      scheduler.await(this);
    } else {
      scheduler.await(this, limit);
    }
    throwIfFailed();
    return result;
  }

  private void makeRoom() {
    if (start == end) {
      start = 0;
      end = 0;
    }
    if (end < held.length) {
      return;
    }
    int length = end - start;
    byte[] roomy = start > 0 ? held : new byte[Math.max(HELD_BYTES, Math.multiplyExact(length, 2))];
    System.arraycopy(held, start, roomy, 0, length);
    start = 0;
    end = length;
    if (roomy != held) {
      held = roomy;
      heldView = ByteBuffer.wrap(roomy);
    }
  }

  @Override
  boolean attempt() throws IOException {
    ByteBuffer dst = target;
    if (dst == null) {
      int n = channel.read(heldView.limit(held.length).position(end));
      end += Math.max(0, n);
      result = n;
    } else {
      result = readSome(dst);
    }
    return result != 0;
  }

  private int readSome(ByteBuffer dst) throws IOException {
    if (dst.isDirect() || dst.remaining() <= MOST_HEAP_BYTES) {
      return channel.read(dst);
    }
    int limit = dst.limit();
    dst.limit(dst.position() + MOST_HEAP_BYTES);
    try {
      return channel.read(dst);
    } finally {
      dst.limit(limit);
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
      Task<?> other = owner;
      if (other != null) {
        throw Registration.busy(this, scheduler.currentTask(), other);
      }
      var wait = new Reading(dst);
      return wait.map(ignored -> WaitForIO.result(wait, wait.bytes));
    });
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
      bytes = holdsSome() && channel.isOpen() ? giveHeld(dst) : readSome(dst);
      return bytes != 0 || !dst.hasRemaining();
    }

    @Override
    public String toString() {
      return Inbound.this.toString();
    }
  }
}
