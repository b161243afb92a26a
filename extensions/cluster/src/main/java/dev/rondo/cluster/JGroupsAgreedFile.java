package dev.rondo.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The file that has the index of the last entry that is known to be agreed on.
///
/// It has two places, which are written in turn, and each write is counted. The place that is whole
/// and has the larger count is the one that was written last. A machine that stops in the middle of
/// a write leaves the other place as it was: no sector of a disk has a part of both.
///
/// Used by one thread at a time.
final class JGroupsAgreedFile implements Closeable {

  private static final int PLACES = 2;

  /// The distance between two places, in whole sectors.
  private static final int DISTANCE_BYTES = 4096;

  /// A count, an index and the checksum.
  private static final int PLACE_BYTES = 2 * Long.BYTES + JGroupsLogFolder.CHECKSUM_BYTES;

  private record Place(int number, long count, long index) {}

  /// An interrupt closes a channel, and no such file.
  private final RandomAccessFile file;

  private Place last;

  private JGroupsAgreedFile(RandomAccessFile file, Place last) {
    this.file = file;
    this.last = last;
  }

  /// {@return the file of a new log, of which nothing is agreed on}
  static byte[] ofNewLog() {
    return ByteBuffer.allocate(DISTANCE_BYTES + PLACE_BYTES)
        .put(0, bytes(0, 0))
        .put(DISTANCE_BYTES, bytes(0, 0))
        .array();
  }

  /// {@return the file, open; null if it is not whole}
  static @Nullable JGroupsAgreedFile open(Path path) throws IOException {
    byte[] all = Files.readAllBytes(path);
    Place last = null;
    for (int i = 0; i < PLACES; i++) {
      Place each = place(i, all);
      if (each != null && (last == null || each.count() > last.count())) {
        last = each;
      }
    }
    return last == null
        ? null
        : new JGroupsAgreedFile(new RandomAccessFile(path.toFile(), "rw"), last);
  }

  /// Returns a place; null if it is not whole.
  private static @Nullable Place place(int number, byte[] all) {
    int first = number * DISTANCE_BYTES;
    if (all.length < first + PLACE_BYTES) {
      return null;
    }
    ByteBuffer content =
        JGroupsLogFolder.opened(Arrays.copyOfRange(all, first, first + PLACE_BYTES));
    return content == null ? null : new Place(number, content.getLong(), content.getLong());
  }

  private static byte[] bytes(long count, long index) {
    return JGroupsLogFolder.sealed(
        ByteBuffer.allocate(2 * Long.BYTES).putLong(count).putLong(index).flip());
  }

  /// {@return what was written last}
  long index() {
    return last.index();
  }

  /// Writes an index, and does not wait for the disk: after a crash of the machine an older one may
  /// be there.
  void write(long index) throws IOException {
    var next = new Place((last.number() + 1) % PLACES, last.count() + 1, index);
    file.seek((long) next.number() * DISTANCE_BYTES);
    file.write(bytes(next.count(), index));
    last = next;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
