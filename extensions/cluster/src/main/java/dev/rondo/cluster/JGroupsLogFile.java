package dev.rondo.cluster;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;
import org.jgroups.protocols.raft.LogEntry;
import org.jspecify.annotations.Nullable;

/// The form of a file with the entries of a log, and how one is read from its beginning to its end.
///
/// An entry is a header, a command and a checksum of both. The header has the index of the first of
/// the entries that were written together: a machine that stops meanwhile may leave any pages of
/// them. What follows the last entry that is whole is a part of entries that were never confirmed,
/// unless an entry that was written later is whole.
///
/// Confined to the method that opens it.
final class JGroupsLogFile implements AutoCloseable {

  private static final byte ENTRY = 1;

  static final int HEADER_BYTES = 2 + 2 * Integer.BYTES + 3 * Long.BYTES;

  private static final int CHECKSUM_BYTES = Integer.BYTES;

  private static final int WINDOW_BYTES = 1 << 16;

  /// What a file has. All numbers are 0 if it has no entry.
  ///
  /// @param first the index of the first entry
  /// @param last the index of the last one of those that are whole, without a gap
  /// @param lastTerm its term
  /// @param end the position in the file behind it
  /// @param goesOn whether a whole entry that was written later follows behind one that is not
  record Contents(long first, long last, long lastTerm, long end, boolean goesOn) {}

  private record Entry(long index, long writtenFrom, long term, long end) {}

  /// An interrupt closes a channel, and no such file.
  private final RandomAccessFile file;

  private final long size;

  /// A part of the file, from `windowAt` on.
  private ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);

  private long windowAt;

  private JGroupsLogFile(Path path) throws IOException {
    this.file = new RandomAccessFile(path.toFile(), "r");
    this.size = file.length();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  // The checksum.

  /// {@return a command with its checksum}
  ///
  /// @param writtenFrom the index of the first of the entries that are written together
  static byte[] sealed(long index, long writtenFrom, long term, byte[] command) {
    return ByteBuffer.allocate(command.length + CHECKSUM_BYTES)
        .put(command)
        .putInt(checksum(index, writtenFrom, term, ByteBuffer.wrap(command)))
        .array();
  }

  private static boolean isWhole(long index, long writtenFrom, LogEntry sealed) {
    return isWhole(
        index,
        writtenFrom,
        sealed.term(),
        sealed.length() == 0
            ? ByteBuffer.allocate(0)
            : ByteBuffer.wrap(sealed.command(), sealed.offset(), sealed.length()).slice());
  }

  private static boolean isWhole(long index, long writtenFrom, long term, ByteBuffer sealed) {
    int length = sealed.limit() - CHECKSUM_BYTES;
    return length >= 0
        && checksum(index, writtenFrom, term, sealed.slice(0, length)) == sealed.getInt(length);
  }

  private static int checksum(long index, long writtenFrom, long term, ByteBuffer command) {
    var checksum = new CRC32C();
    ByteBuffer header = ByteBuffer.allocate(3 * Long.BYTES);
    checksum.update(header.putLong(index).putLong(writtenFrom).putLong(term).flip());
    checksum.update(command);
    return (int) checksum.getValue();
  }

  /// {@return an entry of which the checksum has been removed}
  static LogEntry opened(LogEntry sealed) {
    int length = sealed.length() - CHECKSUM_BYTES;
    return new LogEntry(sealed.term(), sealed.command(), sealed.offset(), length)
        .internal(sealed.internal());
  }

  // Reading.

  /// Reads a file. One that is not there has no entry.
  ///
  /// @param ends receives the position behind each entry
  static Contents read(Path path, LongConsumer ends) throws IOException {
    if (!Files.exists(path)) {
      return new Contents(0, 0, 0, 0, false);
    }
    try (JGroupsLogFile file = new JGroupsLogFile(path)) {
      return file.contents(ends);
    }
  }

  private Contents contents(LongConsumer ends) throws IOException {
    Entry first = entryAt(0);
    Entry last = first;
    for (Entry next = first; next != null; next = after(next)) {
      last = next;
      ends.accept(next.end());
    }
    return first == null || last == null
        ? new Contents(0, 0, 0, 0, goesOn(0, 0))
        : new Contents(
            first.index(), last.index(), last.term(), last.end(), goesOn(last.end(), last.index()));
  }

  private @Nullable Entry after(Entry entry) throws IOException {
    Entry next = entryAt(entry.end());
    return next != null && next.index() == entry.index() + 1 ? next : null;
  }

  /// Whether a whole entry that was written after the one behind the last is anywhere behind a
  /// position.
  private boolean goesOn(long position, long last) throws IOException {
    for (long at = position; at <= size - HEADER_BYTES; at++) {
      if (at(at, HEADER_BYTES).get(0) == ENTRY) {
        Entry entry = entryAt(at);
        if (entry != null && entry.writtenFrom() > last + 1) {
          return true;
        }
      }
    }
    return false;
  }

  /// Returns the entry at a position; null if none is there that is whole.
  private @Nullable Entry entryAt(long position) throws IOException {
    long most = size - position - HEADER_BYTES;
    if (most < CHECKSUM_BYTES) {
      return null;
    }
    ByteBuffer header = at(position, HEADER_BYTES);
    byte form = header.get();
    int total = header.getInt();
    long term = header.getLong();
    long index = header.getLong();
    long writtenFrom = header.getLong();
    byte _ = header.get();
    int length = header.getInt();
    boolean mayBe =
        form == ENTRY && term > 0 && index > 0 && length >= CHECKSUM_BYTES && length <= most;
    return mayBe
            && total == HEADER_BYTES + length
            && isWhole(index, writtenFrom, term, at(position + HEADER_BYTES, length))
        ? new Entry(index, writtenFrom, term, position + total)
        : null;
  }

  /// Returns bytes of the file, which must have them.
  private ByteBuffer at(long position, int length) throws IOException {
    if (position < windowAt || position + length > windowAt + window.limit()) {
      window = (length > window.capacity() ? ByteBuffer.allocate(length) : window.clear());
      windowAt = position;
      file.seek(position);
      int most = (int) Math.min(window.capacity(), size - position);
      while (window.position() < most) {
        int read = file.read(window.array(), window.position(), most - window.position());
        if (read < 0) {
          break;
        }
        var _ = window.position(window.position() + read);
      }
      var _ = window.flip();
      if (window.limit() < length) {
        throw new EOFException("the file has become shorter than " + size + " bytes");
      }
    }
    return window.slice((int) (position - windowAt), length);
  }

  // Writing.

  /// {@return an entry as it is in a file}
  static byte[] bytes(long index, long writtenFrom, LogEntry sealed) {
    return ByteBuffer.allocate(HEADER_BYTES + sealed.length())
        .put(ENTRY)
        .putInt(HEADER_BYTES + sealed.length())
        .putLong(sealed.term())
        .putLong(index)
        .putLong(writtenFrom)
        .put((byte) (sealed.internal() ? 1 : 0))
        .putInt(sealed.length())
        .put(sealed.command(), sealed.offset(), sealed.length())
        .array();
  }

  /// Returns the entry that bytes of a file are; null if they are not the one with an index.
  static @Nullable LogEntry entry(long index, byte[] bytes) {
    ByteBuffer header = ByteBuffer.wrap(bytes);
    byte form = header.get();
    int total = header.getInt();
    long term = header.getLong();
    long has = header.getLong();
    long writtenFrom = header.getLong();
    boolean internal = header.get() != 0;
    int length = header.getInt();
    if (form != ENTRY
        || has != index
        || total != bytes.length
        || length != bytes.length - HEADER_BYTES) {
      return null;
    }
    LogEntry sealed = new LogEntry(term, bytes, HEADER_BYTES, length).internal(internal);
    return isWhole(index, writtenFrom, sealed) ? sealed : null;
  }

  /// Writes the entries of a file from one on.
  ///
  /// @throws IOException if not all were written, or an entry is damaged
  static void copy(Path path, long first, OutputStream output) throws IOException {
    try (JGroupsLogFile file = new JGroupsLogFile(path)) {
      boolean found = false;
      long end = 0;
      long last = 0;
      for (Entry each = file.entryAt(0); each != null; each = file.after(each)) {
        found |= each.index() == first;
        if (found) {
          ByteBuffer bytes = file.at(end, (int) (each.end() - end));
          output.write(bytes.array(), bytes.arrayOffset(), bytes.limit());
        }
        end = each.end();
        last = each.index();
      }
      if (!found || file.goesOn(end, last)) {
        throw new IOException("entry " + (last + 1) + " is damaged");
      }
    }
  }
}
