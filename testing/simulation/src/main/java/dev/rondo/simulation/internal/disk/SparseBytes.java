package dev.rondo.simulation.internal.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Bytes with a size; what was never written is zero and takes no room.
final class SparseBytes {

  private static final int CHUNK_BYTES = 4096;

  private final TreeMap<Long, byte[]> chunks = new TreeMap<>();
  private long size;

  SparseBytes copy() {
    var made = new SparseBytes();
    for (Map.Entry<Long, byte[]> each : chunks.entrySet()) {
      made.chunks.put(each.getKey(), each.getValue().clone());
    }
    made.size = size;
    return made;
  }

  long size() {
    return size;
  }

  /// Writes some bytes of an array; grows if need be.
  void write(long at, byte[] src, int from, int count) {
    for (int done = 0; done < count; ) {
      long position = at + done;
      int offset = (int) (position % CHUNK_BYTES);
      int piece = Math.min(count - done, CHUNK_BYTES - offset);
      byte[] chunk = chunks.computeIfAbsent(position / CHUNK_BYTES, _ -> new byte[CHUNK_BYTES]);
      System.arraycopy(src, from + done, chunk, offset, piece);
      done += piece;
    }
    size = Math.max(size, at + count);
  }

  /// {@return some of the bytes, fewer at the end}
  byte[] read(long at, int count) {
    var dst = new byte[(int) Math.min(count, Math.max(0, size - at))];
    for (int done = 0; done < dst.length; ) {
      long position = at + done;
      int offset = (int) (position % CHUNK_BYTES);
      int piece = Math.min(dst.length - done, CHUNK_BYTES - offset);
      byte @Nullable [] chunk = chunks.get(position / CHUNK_BYTES);
      if (chunk != null) {
        System.arraycopy(chunk, offset, dst, done, piece);
      }
      done += piece;
    }
    return dst;
  }

  /// Creates a file with this content.
  void writeTo(Path path) throws IOException {
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long at = 0; at < size; at += CHUNK_BYTES) {
        file.write(ByteBuffer.wrap(read(at, CHUNK_BYTES)), at);
      }
    }
  }

  /// Cuts off, or appends zeros.
  void resize(long newSize) {
    if (newSize < size) {
      chunks.tailMap(-Math.floorDiv(-newSize, (long) CHUNK_BYTES)).clear();
      int offset = (int) (newSize % CHUNK_BYTES);
      byte @Nullable [] last = offset == 0 ? null : chunks.get(newSize / CHUNK_BYTES);
      if (last != null) {
        Arrays.fill(last, offset, CHUNK_BYTES, (byte) 0);
      }
    }
    size = newSize;
  }
}
