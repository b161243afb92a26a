package dev.rondo.io;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/// Direct buffers of one size, lent out for as long as bytes are in them: a socket that waits holds
/// none, so ten thousand waiting connections cost no more buffers than one.
///
/// Last in, first out: what was used last is warm. Confined to the scheduler's thread.
final class BufferPool {

  /// Room for the largest record of TLS: header, 2^14 bytes and what a cipher may add (RFC 5246,
  /// section 6.2.3: 2,048), in whole kibibytes.
  static final int BUFFER_BYTES = 19 * 1024;

  /// More are left to the garbage collector.
  private static final int MOST_KEPT = 256;

  private final ArrayDeque<ByteBuffer> kept = new ArrayDeque<>();

  /// {@return a cleared buffer of [#BUFFER_BYTES]}
  ByteBuffer take() {
    ByteBuffer buffer = kept.pollLast();
    return buffer == null ? ByteBuffer.allocateDirect(BUFFER_BYTES) : buffer.clear();
  }

  /// Takes a buffer back; nobody may use it any more.
  ///
  /// @param buffer one of another size is dropped
  void give(ByteBuffer buffer) {
    if (buffer.isDirect() && buffer.capacity() == BUFFER_BYTES && kept.size() < MOST_KEPT) {
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

  /// How many wait to be lent.
  int kept() {
    return kept.size();
  }
}
