package dev.rondo.io.internal.channel;

import dev.rondo.io.internal.Throwables;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.charset.Charset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The reading half of a byte stream, with the bytes that were received and not taken yet.
///
/// Bytes are *held* that were received for [#readUntil] or for small reads. Every read takes them
/// first. Their buffer comes from the pool, and only while there are bytes in it.
///
/// A read that returned fewer bytes than it had room for has drained the stream. The next one then
/// does not ask the system, which would be a call for nothing, but waits until the selector reports
/// more.
public final class StreamReader extends Direction {

  /// The JDK reads into a direct buffer as large as the heap buffer it was given, and copies.
  private static final int MAX_HEAP_BYTES = StreamWriter.MAX_HEAP_BYTES;

  /// Smaller reads of an `InputStream` take from the bytes that are held.
  private static final int SMALL_BYTES = 1024;

  private ReadableByteChannel channel;
  private final BufferPool pool;

  /// Where the current read puts its bytes; null if they are to be held.
  private @Nullable ByteBuffer target;

  /// The result of the current read, as of [ReadableByteChannel#read].
  private int result;

  /// Holds `held[start..end)`; null if there are none.
  private @Nullable ByteBuffer held;

  private int start;
  private int end;
  private long received;

  /// Wraps the array that an `InputStream` read into last, which is nearly always used again.
  private ByteBuffer lastView = ByteBuffer.wrap(new byte[0]);

  /// Nothing is held yet.
  ///
  /// @param channel what is read
  /// @param registration of the socket
  public StreamReader(ReadableByteChannel channel, ChannelRegistration registration) {
    super(registration, SelectionKey.OP_READ);
    this.channel = channel;
    this.pool = registration.reactor.buffers();
  }

  /// Reads from another channel from now on: the socket's own, which knows that it was shut down.
  ///
  /// @param own the socket's
  public void useOnly(ReadableByteChannel own) {
    channel = own;
  }

  private boolean holdsAny() {
    return start < end;
  }

  int heldBytes() {
    return end - start;
  }

  /// {@return how many bytes the system has given}
  public long received() {
    return received;
  }

  /// Drops the bytes that are held.
  public void drop() {
    start = end;
    release();
  }

  // Reading.

  /// Reads at least one byte, as [ReadableByteChannel#read] of a socket that suspends.
  ///
  /// @param dst where to
  /// @return how many bytes; -1 at the end of the stream; 0 without room, or if the task was
  ///   scheduled directly
  /// @throws IOException if this side has closed it, or the connection broke
  public int read(ByteBuffer dst) throws IOException {
    begin();
    try {
      return readInto(writable(dst));
    } finally {
      end();
    }
  }

  /// Reads the bytes that are there.
  ///
  /// @param dst where to
  /// @return how many bytes; -1 at the end of the stream
  /// @throws IOException as [#read(ByteBuffer)]
  public int tryRead(ByteBuffer dst) throws IOException {
    writable(dst);
    begin();
    try {
      return !dst.hasRemaining() ? 0 : holdsAny() ? giveHeld(dst) : readSome(dst);
    } catch (IOException e) {
      throw e instanceof ClosedChannelException ? closed() : translated(e);
    } finally {
      end();
    }
  }

  /// Reads until a buffer is full.
  ///
  /// @param dst filled
  /// @throws IOException as [#read(ByteBuffer)], or if the stream ended before
  public void readFully(ByteBuffer dst) throws IOException {
    int first = writable(dst).position();
    begin();
    try {
      while (dst.hasRemaining()) {
        if (readInto(dst) < 0) {
          int had = dst.position() - first;
          throw failures()
              .endOfStream(
                  "%s: the peer ended the stream: wanted=%d bytes, had=%d bytes"
                      .formatted(this, had + dst.remaining(), had),
                  had);
        }
      }
    } finally {
      end();
    }
  }

  /// Reads for an `InputStream`.
  ///
  /// @return 0 only if the waiting task was scheduled directly, or length is 0
  int read(byte[] bytes, int offset, int length) throws IOException {
    begin();
    try {
      if (length == 0) {
        return 0;
      }
      if (!holdsAny()) {
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

  /// Reads up to a delimiter.
  ///
  /// @param delimiter ends a message
  /// @param limitBytes how long a message may be without it, at least zero
  /// @return the message without its delimiter; null if the stream ended before it began
  /// @throws IOException as [#read(ByteBuffer)], or if the stream ended within the message, or it
  ///   is longer
  public byte @Nullable [] readUntil(byte delimiter, int limitBytes) throws IOException {
    begin();
    try {
      int length = await(delimiter, limitBytes);
      if (length < 0 && holdsAny()) {
        throw failures()
            .endOfStream(
                "%s: the peer ended the stream before delimiter 0x%02x: had=%d bytes"
                    .formatted(this, delimiter, heldBytes()),
                heldBytes());
      }
      return length < 0 ? null : take(length, 1);
    } finally {
      end();
    }
  }

  /// Reads a line that ends in LF or CR LF, or with the stream.
  ///
  /// @param limitBytes how long a line may be without its LF, at least zero
  /// @param charset one in which LF and CR are one byte
  /// @return the line without its ending; null at the end of the stream
  /// @throws IOException as [#read(ByteBuffer)], or if the line is longer
  public @Nullable String readLine(int limitBytes, Charset charset) throws IOException {
    begin();
    try {
      int length = await((byte) '\n', limitBytes);
      if (length < 0 && !holdsAny()) {
        return null;
      }
      return text(length < 0 ? take(heldBytes(), 0) : take(length, 1), charset);
    } finally {
      end();
    }
  }

  private static String text(byte[] line, Charset charset) {
    int last = line.length - 1;
    return new String(line, 0, last >= 0 && line[last] == '\r' ? last : line.length, charset);
  }

  /// Receives until a delimiter is held.
  ///
  /// @return how many bytes are before it; -1 if the stream ended
  private int await(byte delimiter, int limitBytes) throws IOException {
    requireLimit(limitBytes);
    int seen = 0;
    while (true) {
      if (holdsAny()) {
        seen = find(delimiter, limitBytes, seen);
        if (start + seen < end) {
          return seen;
        }
      }
      if (receive(null) < 0) {
        return -1;
      }
    }
  }

  private static void requireLimit(int limitBytes) {
    if (limitBytes < 0) {
      throw new IllegalArgumentException("limit must be at least 0 bytes: limit=" + limitBytes);
    }
  }

  /// {@return how many bytes are before a delimiter; all that are held if there is none}
  ///
  /// @param seen how many bytes are known to be none
  private int find(byte delimiter, int limitBytes, int seen) throws IOException {
    ByteBuffer buffer = heldBuffer();
    for (int i = seen; start + i < end; i++) {
      if (buffer.get(start + i) == delimiter) {
        return i;
      } else if (i == limitBytes) {
        throw failures()
            .delimiterNotFound(
                "%s: no delimiter 0x%02x within limit=%d bytes"
                    .formatted(this, delimiter, limitBytes));
      }
    }
    return heldBytes();
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
          this + ": the buffer must not be read-only: dst=" + dst, new ReadOnlyBufferException());
    }
    return dst;
  }

  // One read.

  @Override
  void end() {
    super.end();
    target = null;
    if (held != null && !holdsAny()) {
      release();
    }
  }

  private int readInto(ByteBuffer dst) throws IOException {
    if (!dst.hasRemaining()) {
      return 0;
    }
    return holdsAny() ? giveHeld(dst) : receive(dst);
  }

  private int giveHeld(ByteBuffer dst) {
    int n = Math.min(dst.remaining(), heldBytes());
    dst.put(dst.position(), heldBuffer(), start, n);
    dst.position(dst.position() + n);
    start += n;
    return n;
  }

  /// @param dst null if the bytes are to be held
  private int receive(@Nullable ByteBuffer dst) throws IOException {
    target = dst;
    result = 0;
    await(this);
    return result;
  }

  @Override
  boolean attempt() throws IOException {
    return !registration.drained && attemptWhenReady();
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
      if (!holdsAny()) {
        release(); // a waiting reader has no buffer
      }
    }
  }

  private int readSome(ByteBuffer dst) throws IOException {
    int room = dst.isDirect() ? dst.remaining() : Math.min(dst.remaining(), MAX_HEAP_BYTES);
    int limit = dst.limit();
    dst.limit(dst.position() + room);
    try {
      int n = channel.read(dst);
      registration.drained = n >= 0 && n < room;
      received += Math.max(0, n);
      return n;
    } finally {
      dst.limit(limit);
    }
  }

  // The buffer of the bytes that are held.

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

  /// {@return reading at least one byte, to be awaited}
  ///
  /// @param dst where to, with room
  public Waitable<Integer> reading(ByteBuffer dst) {
    writable(dst);
    return Waitable.guard(() -> {
      requireIdle();
      var wait = new Reading(dst);
      return wait.map(ignored -> ChannelWait.result(wait, wait.bytes));
    });
  }

  /// {@return there being something to read, to be awaited}
  ///
  /// @param <S> the kind of socket
  /// @param socket the result of the wait
  public <S> Waitable<S> ready(S socket) {
    return ready(socket, this::holdsAny);
  }

  /// {@return reading a line, to be awaited}
  ///
  /// @param limitBytes how long a line may be without its LF, at least zero
  /// @param charset one in which LF and CR are one byte
  public Waitable<Optional<String>> readingLine(int limitBytes, Charset charset) {
    requireLimit(limitBytes);
    return Waitable.guard(() -> {
      requireIdle();
      var wait = new ReadingLine(limitBytes, charset);
      return wait.map(ignored -> wait.result(Optional.ofNullable(wait.line)));
    });
  }

  /// {@return filling a buffer, to be awaited}
  ///
  /// @param dst filled when all its bytes have arrived, and not touched before
  public Waitable<Integer> readingFully(ByteBuffer dst) {
    writable(dst);
    return Waitable.guard(() -> {
      requireIdle();
      var wait = new ReadingFully(dst);
      return wait.map(ignored -> wait.result(wait.bytes));
    });
  }

  /// A wait that holds bytes until there are enough.
  private abstract class Collecting extends ChannelWait {

    /// Why what is held will never be enough.
    private @Nullable IOException unmet;

    Collecting() {
      super(StreamReader.this.registration, SelectionKey.OP_READ);
    }

    /// Takes what is held if it is enough.
    ///
    /// @param ended whether there will be no more
    /// @return whether it is done
    abstract boolean takeHeld(boolean ended) throws IOException;

    private boolean isDone(boolean ended) {
      try {
        return takeHeld(ended);
      } catch (IOException e) {
        unmet = e;
        return true;
      }
    }

    /// {@return a value after the wait, in the waiting task}
    final <T> T result(T value) {
      ChannelWait.result(this, value);
      IOException why = unmet;
      if (why != null) {
        throw Throwables.<RuntimeException>rethrow(why);
      }
      return value;
    }

    @Override
    boolean attempt() throws IOException {
      unmet = null;
      if (!channel.isOpen()) {
        throw new ClosedChannelException();
      }
      try {
        for (boolean ended = false; !isDone(ended); ) {
          int n = readMore();
          if (n == 0) {
            return false;
          }
          ended = n < 0;
        }
        return true;
      } finally {
        if (!holdsAny()) {
          release();
        }
      }
    }

    @Override
    public String toString() {
      return StreamReader.this.toString();
    }
  }

  private final class ReadingLine extends Collecting {

    private final int limitBytes;
    private final Charset charset;
    private int seen;
    private @Nullable String line;

    ReadingLine(int limitBytes, Charset charset) {
      this.limitBytes = limitBytes;
      this.charset = charset;
    }

    @Override
    boolean takeHeld(boolean ended) throws IOException {
      seen = holdsAny() ? find((byte) '\n', limitBytes, seen) : 0;
      if (start + seen < end) {
        line = text(take(seen, 1), charset);
      } else if (ended) {
        line = holdsAny() ? text(take(heldBytes(), 0), charset) : null;
      } else {
        return false;
      }
      return true;
    }
  }

  private final class ReadingFully extends Collecting {

    private final ByteBuffer dst;
    private int bytes;

    ReadingFully(ByteBuffer dst) {
      this.dst = dst;
    }

    @Override
    boolean takeHeld(boolean ended) throws IOException {
      int wanted = dst.remaining();
      if (heldBytes() >= wanted) {
        bytes = wanted == 0 ? 0 : giveHeld(dst);
        return true;
      }
      if (ended) {
        throw failures()
            .endOfStream(
                "%s: the peer ended the stream: wanted=%d bytes, had=%d bytes"
                    .formatted(StreamReader.this, wanted, heldBytes()),
                heldBytes());
      }
      return false;
    }
  }

  private final class Reading extends ChannelWait {

    private final ByteBuffer dst;
    private int bytes;

    Reading(ByteBuffer dst) {
      super(StreamReader.this.registration, SelectionKey.OP_READ);
      this.dst = dst;
    }

    @Override
    boolean attempt() throws IOException {
      if (holdsAny() && channel.isOpen()) {
        bytes = giveHeld(dst);
        if (!holdsAny()) {
          release();
        }
      } else {
        bytes = readSome(dst);
      }
      return bytes != 0 || !dst.hasRemaining();
    }

    @Override
    public String toString() {
      return StreamReader.this.toString();
    }
  }
}
