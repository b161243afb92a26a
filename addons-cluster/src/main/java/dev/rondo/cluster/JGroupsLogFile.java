package dev.rondo.cluster;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.jgroups.protocols.raft.LogEntry;
import org.jspecify.annotations.Nullable;

/// A file with the entries of a log, as jgroups-raft 1.1 writes it, for reading it from its
/// beginning to its end.
///
/// An entry is a header, a command and a checksum of both. jgroups-raft makes the file longer
/// before it writes an entry, so what follows the last entry is zeros, or a part of entries that
/// were never confirmed.
///
/// Confined to the method that opens it.
final class JGroupsLogFile implements AutoCloseable {

  private static final byte ENTRY = 1;

  private static final int HEADER_BYTES = 2 + 2 * Integer.BYTES + 2 * Long.BYTES;

  private static final int CHECKSUM_BYTES = Integer.BYTES;

  private static final int WINDOW_BYTES = 1 << 16;

  /// What a file has. All numbers are 0 if it has no entry.
  ///
  /// @param first the index of the first entry
  /// @param last the index of the last one of those that are whole, without a gap
  /// @param lastTerm its term
  /// @param end the position in the file behind it
  /// @param goesOn whether a whole entry follows behind one that is not
  record Contents(long first, long last, long lastTerm, long end, boolean goesOn) {}

  private record Entry(long index, long term, long end) {}

  private final FileChannel channel;
  private final long size;

  /// A part of the file, from `windowAt` on.
  private ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);

  private long windowAt;

  private JGroupsLogFile(FileChannel channel) throws IOException {
    this.channel = channel;
    this.size = channel.size();
  }

  private static JGroupsLogFile open(Path file) throws IOException {
    return new JGroupsLogFile(FileChannel.open(file, StandardOpenOption.READ));
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  // The checksum.

  /// {@return a command with its checksum, which jgroups-raft takes for a part of it}
  static byte[] sealed(long index, long term, byte[] command) {
    return ByteBuffer.allocate(command.length + CHECKSUM_BYTES)
        .put(command)
        .putInt(checksum(index, term, ByteBuffer.wrap(command)))
        .array();
  }

  static boolean isWhole(long index, LogEntry sealed) {
    return isWhole(
        index,
        sealed.term(),
        sealed.length() == 0
            ? ByteBuffer.allocate(0)
            : ByteBuffer.wrap(sealed.command(), sealed.offset(), sealed.length()).slice());
  }

  private static boolean isWhole(long index, long term, ByteBuffer sealed) {
    int length = sealed.limit() - CHECKSUM_BYTES;
    return length >= 0 && checksum(index, term, sealed.slice(0, length)) == sealed.getInt(length);
  }

  private static int checksum(long index, long term, ByteBuffer command) {
    var checksum = new CRC32C();
    checksum.update(ByteBuffer.allocate(2 * Long.BYTES).putLong(index).putLong(term).flip());
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
  static Contents read(Path path) throws IOException {
    if (!Files.exists(path)) {
      return new Contents(0, 0, 0, 0, false);
    }
    try (JGroupsLogFile file = open(path)) {
      return file.contents();
    }
  }

  private Contents contents() throws IOException {
    Entry first = entryAt(0);
    Entry last = first;
    for (Entry next = first; next != null; next = after(next)) {
      last = next;
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

  /// Whether a whole entry with a larger index is anywhere behind a position.
  private boolean goesOn(long position, long last) throws IOException {
    for (long at = position; at <= size - HEADER_BYTES; at++) {
      if (at(at, HEADER_BYTES).get(0) == ENTRY) {
        Entry entry = entryAt(at);
        if (entry != null && entry.index() > last) {
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
    byte _ = header.get();
    int length = header.getInt();
    boolean mayBe =
        form == ENTRY && term > 0 && index > 0 && length >= CHECKSUM_BYTES && length <= most;
    return mayBe
            && total == HEADER_BYTES + length
            && isWhole(index, term, at(position + HEADER_BYTES, length))
        ? new Entry(index, term, position + total)
        : null;
  }

  /// Returns bytes of the file, which must have them.
  private ByteBuffer at(long position, int length) throws IOException {
    if (position < windowAt || position + length > windowAt + window.limit()) {
      window = (length > window.capacity() ? ByteBuffer.allocate(length) : window.clear());
      windowAt = position;
      while (window.hasRemaining() && channel.read(window, position + window.position()) > 0) {
        // More is there.
      }
      var _ = window.flip();
      if (window.limit() < length) {
        throw new EOFException("the file has become shorter than " + size + " bytes");
      }
    }
    return window.slice((int) (position - windowAt), length);
  }

  // Writing.

  /// Writes an entry into an empty file.
  static void write(FileChannel output, long index, LogEntry sealed) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(HEADER_BYTES + sealed.length())
            .put(ENTRY)
            .putInt(HEADER_BYTES + sealed.length())
            .putLong(sealed.term())
            .putLong(index)
            .put((byte) (sealed.internal() ? 1 : 0))
            .putInt(sealed.length())
            .put(sealed.command(), sealed.offset(), sealed.length())
            .flip();
    while (bytes.hasRemaining()) {
      var _ = output.write(bytes);
    }
  }

  /// Writes the entries of a file from one on into an empty file.
  ///
  /// @throws IOException if not all were written, or an entry is damaged
  static void copy(Path path, long first, FileChannel output) throws IOException {
    try (JGroupsLogFile file = open(path)) {
      long from = 0;
      long end = 0;
      long last = 0;
      for (Entry each = file.entryAt(0); each != null; each = file.after(each)) {
        from = each.index() == first ? end : from;
        end = each.end();
        last = each.index();
      }
      if (last < first || file.goesOn(end, last)) {
        throw new IOException("entry " + (last + 1) + " is damaged");
      }
      while (from < end) {
        long copied = file.channel.transferTo(from, end - from, output);
        if (copied <= 0) {
          throw new EOFException("the file has become shorter than " + file.size + " bytes");
        }
        from += copied;
      }
    }
  }
}
