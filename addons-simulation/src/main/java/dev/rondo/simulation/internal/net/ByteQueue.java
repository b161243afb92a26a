package dev.rondo.simulation.internal.net;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/// Bytes in the order in which they came.
final class ByteQueue {

  private final ArrayDeque<ByteBuffer> chunks = new ArrayDeque<>();
  private long size;

  long size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /// Adds bytes that nothing else changes from now on.
  void add(ByteBuffer bytes) {
    if (bytes.hasRemaining()) {
      chunks.add(bytes.slice());
      size += bytes.remaining();
    }
  }

  /// Takes bytes out of a buffer, whose position moves.
  void addFrom(ByteBuffer source, int count) {
    byte[] bytes = new byte[count];
    source.get(bytes);
    add(ByteBuffer.wrap(bytes));
  }

  /// Moves as many bytes as a buffer has room for.
  ///
  /// @return how many
  int moveTo(ByteBuffer target) {
    int moved = 0;
    while (target.hasRemaining() && !chunks.isEmpty()) {
      ByteBuffer first = chunks.getFirst();
      int count = Math.min(first.remaining(), target.remaining());
      target.put(target.position(), first, first.position(), count);
      target.position(target.position() + count);
      first.position(first.position() + count);
      if (!first.hasRemaining()) {
        chunks.removeFirst();
      }
      moved += count;
    }
    size -= moved;
    return moved;
  }

  /// Takes this many bytes, which there must be.
  ByteBuffer take(int count) {
    if (chunks.getFirst().remaining() == count) {
      size -= count;
      return chunks.removeFirst();
    }
    ByteBuffer bytes = ByteBuffer.allocate(count);
    moveTo(bytes);
    return bytes.flip();
  }

  void clear() {
    chunks.clear();
    size = 0;
  }
}
