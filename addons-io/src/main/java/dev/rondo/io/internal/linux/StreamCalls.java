package dev.rondo.io.internal.linux;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The calls and the buffer that the streams of a selector share, because one thread uses them all.
/// The garbage collector may move a heap buffer, so its bytes are copied through a direct one.
final class StreamCalls {

  /// How many bytes of a heap buffer are copied at a time.
  private static final int COPY_BYTES = 128 * 1024;

  private final Libc libc = new Libc();

  /// Allocated when first needed.
  private @Nullable ByteBuffer copy;

  /// Receives bytes.
  ///
  /// @param dst where to, with room; its position moves
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
  /// @param src not empty; its position moves
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

  /// As [Libc#isReady].
  boolean isReady(int descriptor, short event) throws IOException {
    return libc.isReady(descriptor, event);
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
