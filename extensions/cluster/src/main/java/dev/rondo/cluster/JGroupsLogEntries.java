package dev.rondo.cluster;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Arrays;
import org.jgroups.protocols.raft.LogEntry;
import org.jspecify.annotations.Nullable;

/// The file with the entries of a log while a node uses it. An interrupt does not close it.
///
/// Used by one thread at a time.
final class JGroupsLogEntries implements AutoCloseable {

  /// The position behind each entry of a file.
  static final class Ends {

    private static final int INITIAL_CAPACITY = 64;

    private long[] ends = new long[INITIAL_CAPACITY];
    private int count;

    void add(long end) {
      if (count == ends.length) {
        ends = Arrays.copyOf(ends, 2 * count);
      }
      ends[count++] = end;
    }

    private long start(long entry) {
      return entry == 0 ? 0 : ends[(int) entry - 1];
    }

    private long end() {
      return start(count);
    }
  }

  private final RandomAccessFile file;
  private final Ends ends;

  /// The index of the first entry, or of the first that will be there.
  private final long first;

  /// Opens a file, and removes what is behind the last entry.
  ///
  /// @param first the index of the first entry; 0 if there is none
  JGroupsLogEntries(Path path, long first, Ends ends) throws IOException {
    this.first = Math.max(first, 1);
    this.ends = ends;
    this.file = new RandomAccessFile(path.toFile(), "rw");
    try {
      if (file.length() > ends.end()) {
        cut();
      }
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  private void cut() throws IOException {
    file.setLength(ends.end());
    file.getFD().sync();
  }

  /// What jgroups-raft calls the first entry: 0 if no entry was ever removed.
  long first() {
    return first == 1 ? 0 : first;
  }

  /// The index of the last entry; 0 if there is none.
  long last() {
    return first + ends.count - 1;
  }

  long sizeBytes() {
    return ends.end();
  }

  /// Writes entries behind the last one, and waits until they are on the disk.
  void append(LogEntry[] sealed) throws IOException {
    long end = ends.end();
    long writtenFrom = last() + 1;
    var bytes = new ByteArrayOutputStream();
    long[] added = new long[sealed.length];
    for (int i = 0; i < sealed.length; i++) {
      bytes.writeBytes(JGroupsLogFile.bytes(writtenFrom + i, writtenFrom, sealed[i]));
      added[i] = end + bytes.size();
    }
    file.seek(end);
    file.write(bytes.toByteArray());
    file.getFD().sync();
    for (long each : added) {
      ends.add(each);
    }
  }

  boolean has(long index) {
    return index >= first && index <= last();
  }

  /// Reads an entry that is there; null if it is damaged.
  @Nullable LogEntry get(long index) throws IOException {
    long start = ends.start(index - first);
    byte[] bytes = new byte[(int) (ends.ends[(int) (index - first)] - start)];
    file.seek(start);
    file.readFully(bytes);
    return JGroupsLogFile.entry(index, bytes);
  }

  /// Removes the entries from one on, which is there. They are gone from the disk before others
  /// take their place: of two entries one after the other, the later one has the later term.
  void removeFrom(long index) throws IOException {
    ends.count = (int) (index - first);
    cut();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
