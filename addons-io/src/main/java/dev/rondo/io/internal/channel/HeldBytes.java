package dev.rondo.io.internal.channel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/// Bytes that were received and not taken yet, and the messages in them. Their buffer comes from a
/// pool, and only while there are bytes in it.
///
/// Confined to the scheduler's thread.
final class HeldBytes {

  /// The largest array of usual JVMs.
  private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

  private final BufferPool pool;
  private final IoErrors failures;

  /// Its text begins the messages of failures.
  private final Object reading;

  /// The bytes are `buffer[start..end)`; null if there are none.
  private @Nullable ByteBuffer buffer;

  private int start;
  private int end;

  /// How many of the held bytes are known not to be LF.
  private int withoutLine;

  HeldBytes(BufferPool pool, IoErrors failures, Object reading) {
    this.pool = pool;
    this.failures = failures;
    this.reading = reading;
  }

  boolean isEmpty() {
    return start == end;
  }

  int size() {
    return end - start;
  }

  // Receiving.

  /// The buffer with room for more, at least one byte. [#added(int)] or [#release()] follows before
  /// anything else.
  ByteBuffer room() {
    ByteBuffer into = buffer;
    if (into == null) {
      start = 0;
      end = 0;
      into = pool.take();
    } else if (end == into.capacity()) {
      into = withRoom(into, 1);
    }
    buffer = into;
    return into.limit(into.capacity()).position(end);
  }

  /// That many bytes were put into the [#room()].
  void added(int bytes) {
    end += bytes;
  }

  /// Adds the bytes of a buffer, which belongs to this from now on.
  void add(ByteBuffer more) {
    ByteBuffer into = buffer;
    if (into == null) {
      start = more.position();
      end = more.limit();
      buffer = more.clear();
      return;
    }
    int bytes = more.remaining();
    if (into.capacity() - end < bytes) {
      into = withRoom(into, bytes).clear();
      buffer = into;
    }
    into.put(end, more, more.position(), bytes);
    end += bytes;
    pool.give(more);
  }

  /// Moves the held bytes to the front, or to a larger buffer. They move within the buffer only if
  /// at least as many bytes were taken since the last time: a reader that takes little of a full
  /// buffer at a time would otherwise move the whole buffer for every few bytes.
  private ByteBuffer withRoom(ByteBuffer full, int more) {
    boolean fits = full.capacity() - size() >= more;
    return fits && start >= size() ? compacted(full) : enlarged(full, more);
  }

  private ByteBuffer compacted(ByteBuffer full) {
    int length = size();
    full.limit(end).position(start).compact();
    start = 0;
    end = length;
    return full;
  }

  /// Grows to twice the size, so that many pieces cost no more than one large one.
  private ByteBuffer enlarged(ByteBuffer full, int more) {
    int length = size();
    long needed = (long) length + more;
    if (needed > MOST_BYTES) {
      throw new IllegalStateException(
          "%s: no buffer has room for %,d bytes".formatted(reading, needed));
    }
    ByteBuffer larger =
        ByteBuffer.allocate((int) Math.max(needed, Math.min(2L * length, MOST_BYTES)));
    larger.put(0, full, start, length);
    pool.give(full);
    start = 0;
    end = length;
    return larger;
  }

  /// Gives the buffer back if there are no bytes in it.
  void release() {
    ByteBuffer unused = buffer;
    if (unused != null && start == end) {
      buffer = null;
      pool.give(unused);
    }
  }

  void drop() {
    start = end;
    withoutLine = 0;
    release();
  }

  // Taking.

  int give(ByteBuffer dst) {
    int n = Math.min(dst.remaining(), size());
    if (n > 0) {
      dst.put(dst.position(), bytes(), start, n);
      dst.position(dst.position() + n);
      taken(n);
    }
    return n;
  }

  int give(byte[] dst, int offset, int length) {
    int n = Math.min(length, size());
    if (n > 0) {
      bytes().get(start, dst, offset, n);
      taken(n);
    }
    return n;
  }

  /// Takes a message and skips its delimiter.
  byte[] take(int length, int skip) {
    var taken = new byte[length];
    if (length > 0) {
      bytes().get(start, taken);
    }
    taken(length + skip);
    return taken;
  }

  private void taken(int bytes) {
    start += bytes;
    withoutLine = 0;
  }

  /// Takes a line.
  ///
  /// @param length how many bytes are before its LF; negative if all held bytes are the last line
  String takeLine(int length, Charset charset) {
    byte[] line = length < 0 ? take(size(), 0) : take(length, 1);
    int last = line.length - 1;
    return new String(line, 0, last >= 0 && line[last] == '\r' ? last : line.length, charset);
  }

  // Messages.

  /// @throws IllegalArgumentException if a limit is negative
  static void requireLimit(int limitBytes) {
    if (limitBytes < 0) {
      throw new IllegalArgumentException("limit must be at least 0 bytes: limit=" + limitBytes);
    }
  }

  /// {@return how many bytes are before a delimiter; all held bytes if there is none}
  ///
  /// @param seen how many bytes are known not to be the delimiter
  /// @throws IOException if there are more than the limit
  int find(byte delimiter, int limitBytes, int seen) throws IOException {
    int size = size();
    if (seen >= size) {
      return size;
    }
    ByteBuffer there = bytes();
    for (int i = seen; i < size; i++) {
      if (there.get(start + i) == delimiter) {
        return i;
      } else if (i == limitBytes) {
        throw failures.delimiterNotFound(
            "%s: no delimiter 0x%02x within limit=%d bytes"
                .formatted(reading, delimiter, limitBytes));
      }
    }
    return size;
  }

  /// {@return whether a line is held, or one that is too long}
  boolean hasLine(int limitBytes) {
    for (int size = size(); withoutLine < size; withoutLine++) {
      if (bytes().get(start + withoutLine) == '\n') {
        return true;
      }
    }
    return size() > limitBytes;
  }

  /// {@return the exception for a stream that ends within a message}
  IOException endedBefore(byte delimiter) {
    return failures.endOfStream(
        "%s: the peer ended the stream before delimiter 0x%02x: had=%d bytes"
            .formatted(reading, delimiter, size()),
        size());
  }

  /// {@return the exception for a stream that ends too early}
  ///
  /// @param wanted how many bytes were to be read
  /// @param had how many there were
  IOException endedBefore(int wanted, int had) {
    return failures.endOfStream(
        "%s: the peer ended the stream: wanted=%d bytes, had=%d bytes"
            .formatted(reading, wanted, had),
        had);
  }

  private ByteBuffer bytes() {
    ByteBuffer there = buffer;
    if (there == null) {
      throw new AssertionError("nothing is held: " + reading);
    }
    return there;
  }
}
