package dev.rondo.io.internal.linux;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// What the streams of a selector share: they are all of one thread. A buffer on the heap may be
/// moved by the collector, so its bytes go through one that is not.
final class StreamCalls {

  /// Of a larger buffer on the heap so many bytes are moved at once.
  private static final int COPY_BYTES = 128 * 1024;

  private final Libc libc = new Libc();

  /// Made when it is needed first.
  private @Nullable ByteBuffer copy;

  /// Receives bytes.
  ///
  /// @param dst has room; its position moves
  /// @return as [Libc#receive] does
  int receive(int socket, ByteBuffer dst) throws IOException {
    if (dst.isDirect()) {
      int n = libc.receive(socket, MemorySegment.ofBuffer(dst));
      if (n > 0) {
        dst.position(dst.position() + n);
      }
      return n;
    }
    ByteBuffer between = copy(dst.remaining());
    int n = libc.receive(socket, MemorySegment.ofBuffer(between));
    if (n > 0) {
      dst.put(between.limit(n));
    }
    return n;
  }

  /// Sends bytes.
  ///
  /// @param src has some; its position moves
  /// @return as [Libc#send] does
  int send(int socket, ByteBuffer src) throws IOException {
    int n;
    if (src.isDirect()) {
      n = libc.send(socket, MemorySegment.ofBuffer(src));
    } else {
      ByteBuffer between = copy(src.remaining());
      between.put(0, src, src.position(), between.remaining());
      n = libc.send(socket, MemorySegment.ofBuffer(between));
    }
    if (n > 0) {
      src.position(src.position() + n);
    }
    return n;
  }

  private ByteBuffer copy(int bytes) {
    ByteBuffer between = copy;
    if (between == null) {
      between = ByteBuffer.allocateDirect(COPY_BYTES);
      copy = between;
    }
    return between.clear().limit(Math.min(bytes, COPY_BYTES));
  }
}
