package dev.rondo.simulation.internal.net;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/// Bytes in the order in which they came.
final class ByteQueue {

  /// Their positions stay: other queues may have them, too.
  private final ArrayDeque<ByteBuffer> chunks = new ArrayDeque<>();

  /// How many bytes of the first chunk were taken.
  private int taken;

  private long size;

  long size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /// Adds bytes that nothing changes from now on, and a buffer whose position nothing moves.
  void add(ByteBuffer bytes) {
    if (bytes.hasRemaining()) {
      chunks.add(bytes);
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
      int left = first.remaining() - taken;
      int count = Math.min(left, target.remaining());
      target.put(target.position(), first, first.position() + taken, count);
      target.position(target.position() + count);
      if (count == left) {
        chunks.removeFirst();
        taken = 0;
      } else {
        taken += count;
      }
      moved += count;
    }
    size -= moved;
    return moved;
  }

  /// Takes this many bytes, which there must be.
  ByteBuffer take(int count) {
    if (taken == 0 && chunks.getFirst().remaining() == count) {
      size -= count;
      return chunks.removeFirst();
    }
    ByteBuffer bytes = ByteBuffer.allocate(count);
    moveTo(bytes);
    return bytes.flip();
  }

  void clear() {
    chunks.clear();
    taken = 0;
    size = 0;
  }
}
