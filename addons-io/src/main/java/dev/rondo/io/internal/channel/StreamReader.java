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
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The reading half of a byte stream, with the bytes that were received and not taken yet.
///
/// Bytes that were received for [#readUntil] or for small reads are *held*. Every read takes them
/// first. Their buffer comes from the pool, and only while there are bytes in it.
///
/// A read that returned fewer bytes than it had room for has drained the stream. The next read then
/// waits until the selector reports more; a call of the system would find nothing.
public final class StreamReader extends Direction implements InputHalf {

  /// The JDK reads into a direct buffer as large as the heap buffer it was given, and copies.
  private static final int MAX_HEAP_BYTES = StreamWriter.MAX_HEAP_BYTES;

  /// Smaller reads of an `InputStream` take from the bytes that are held.
  private static final int SMALL_BYTES = 1024;

  private ReadableByteChannel channel;
  private final HeldBytes held;

  /// Where the current read puts its bytes; null if they are to be held.
  private @Nullable ByteBuffer target;

  /// The result of the current read, as of [ReadableByteChannel#read].
  private int result;

  private long received;

  /// Wraps the array that an `InputStream` read into last, which is nearly always used again.
  private ByteBuffer lastView = ByteBuffer.wrap(new byte[0]);

  /// Nothing is held yet.
  ///
  /// @param channel the channel to read
  /// @param registration of the socket
  public StreamReader(ReadableByteChannel channel, ChannelRegistration registration) {
    super(registration, SelectionKey.OP_READ);
    this.channel = channel;
    this.held = new HeldBytes(registration.reactor.buffers(), failures(), this);
  }

  /// Reads from another channel from now on: the socket's own, which knows that it was shut down.
  ///
  /// @param own the socket's
  public void useOnly(ReadableByteChannel own) {
    channel = own;
    shutDown = true;
    registration.forgetBroken();
  }

  @Override
  public int heldBytes() {
    return held.size();
  }

  /// {@return how many bytes the system has given}
  public long received() {
    return received;
  }

  /// Drops the bytes that are held.
  public void drop() {
    held.drop();
  }

  // Reading.

  /// Reads at least one byte, as [ReadableByteChannel#read] of a socket that suspends.
  ///
  /// @param dst where to
  /// @return how many bytes; -1 at the end of the stream; 0 without room
  /// @throws IOException if this side has closed it, or the connection broke
  public int read(ByteBuffer dst) throws IOException {
    Objects.requireNonNull(dst, "dst is null");
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
      return !dst.hasRemaining() ? 0 : held.isEmpty() ? readSome(dst) : held.give(dst);
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
          throw held.endedBefore(had + dst.remaining(), had);
        }
      }
    } finally {
      end();
    }
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    begin();
    try {
      if (length == 0) {
        return 0;
      }
      if (held.isEmpty()) {
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
      return held.give(bytes, offset, length);
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
      int length = holdUntil(delimiter, limitBytes);
      if (length < 0 && !held.isEmpty()) {
        throw held.endedBefore(delimiter);
      }
      return length < 0 ? null : held.take(length, 1);
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
    Objects.requireNonNull(charset, "charset is null");
    begin();
    try {
      int length = holdUntil((byte) '\n', limitBytes);
      return length < 0 && held.isEmpty() ? null : held.takeLine(length, charset);
    } finally {
      end();
    }
  }

  /// Receives until a delimiter is held.
  ///
  /// @return how many bytes are before it; -1 if the stream ended
  private int holdUntil(byte delimiter, int limitBytes) throws IOException {
    HeldBytes.requireLimit(limitBytes);
    int seen = 0;
    while (true) {
      seen = held.find(delimiter, limitBytes, seen);
      if (seen < held.size()) {
        return seen;
      } else if (receive(null) < 0) {
        return -1;
      }
    }
  }

  private ByteBuffer writable(ByteBuffer dst) {
    Objects.requireNonNull(dst, "dst is null");
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
    held.release();
  }

  private int readInto(ByteBuffer dst) throws IOException {
    if (!dst.hasRemaining()) {
      return 0;
    }
    return held.isEmpty() ? receive(dst) : held.give(dst);
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
    try {
      int n = readSome(held.room());
      held.added(Math.max(0, n));
      return n;
    } finally {
      held.release(); // a waiting reader has no buffer
    }
  }

  private int readSome(ByteBuffer dst) throws IOException {
    int room = dst.isDirect() ? dst.remaining() : Math.min(dst.remaining(), MAX_HEAP_BYTES);
    int limit = dst.limit();
    dst.limit(dst.position() + room);
    try {
      int n = channel.read(dst);
      if (n < 0) {
        registration.requireWhole();
      }
      registration.drained = n >= 0 && n < room;
      int count = Math.max(0, n);
      received += count;
      registration.reactor.byteCounts.received += count;
      return n;
    } catch (IOException e) {
      registration.noteBroken(e);
      throw e;
    } finally {
      dst.limit(limit);
    }
  }

  @Override
  public String toString() {
    return "read from " + registration;
  }

  // Reading as a branch of a choice.

  /// {@return a wait that reads at least one byte}
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

  /// {@return a wait until there is something to read}
  ///
  /// @param <S> the kind of socket
  /// @param socket the result of the wait
  public <S> Waitable<S> ready(S socket) {
    return ready(socket, () -> !held.isEmpty());
  }

  /// {@return a wait that reads a line}
  ///
  /// @param limitBytes how long a line may be without its LF, at least zero
  /// @param charset one in which LF and CR are one byte
  public Waitable<Optional<String>> readingLine(int limitBytes, Charset charset) {
    HeldBytes.requireLimit(limitBytes);
    return Waitable.guard(() -> {
      requireIdle();
      var wait = new ReadingLine(limitBytes, charset);
      return wait.map(ignored -> wait.result(Optional.ofNullable(wait.line)));
    });
  }

  /// {@return a wait that fills a buffer}
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

    /// The reason why the held bytes will never be enough.
    private @Nullable IOException unmet;

    Collecting() {
      super(StreamReader.this.registration, SelectionKey.OP_READ);
    }

    /// Takes the held bytes if they are enough.
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
        held.release();
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
      seen = held.find((byte) '\n', limitBytes, Math.min(seen, held.size()));
      if (seen < held.size()) {
        line = held.takeLine(seen, charset);
      } else if (ended) {
        line = held.isEmpty() ? null : held.takeLine(-1, charset);
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
      if (held.size() >= wanted) {
        bytes = held.give(dst);
        return true;
      }
      if (ended) {
        throw held.endedBefore(wanted, held.size());
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
      if (!held.isEmpty() && channel.isOpen()) {
        bytes = held.give(dst);
        held.release();
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
