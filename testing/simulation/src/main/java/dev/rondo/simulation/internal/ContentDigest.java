package dev.rondo.simulation.internal;

import java.nio.ByteBuffer;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;

/// Makes a number for each write of a program to its sockets and its disk.
///
/// Confined to the world's thread and the tasks of its hosts.
public final class ContentDigest {

  private final LongConsumer to;
  private final CRC32C sum = new CRC32C();

  /// @param to receives a number for each write
  public ContentDigest(LongConsumer to) {
    this.to = to;
  }

  /// Adds bytes that were written.
  ///
  /// @param buffer has the bytes, which end at its position
  /// @param from the index of the first byte
  public void add(ByteBuffer buffer, int from) {
    int end = buffer.position();
    int limit = buffer.limit();
    sum.reset();
    sum.update(buffer.limit(end).position(from));
    ByteBuffer _ = buffer.limit(limit);
    to.accept(sum.getValue() << Integer.SIZE | end - from);
  }

  /// Adds a change.
  ///
  /// @param what in words
  /// @param content the bytes that were written; empty if it is no write
  public void add(String what, byte[] content) {
    sum.reset();
    sum.update(content);
    to.accept(sum.getValue() << Integer.SIZE ^ what.hashCode());
  }
}
