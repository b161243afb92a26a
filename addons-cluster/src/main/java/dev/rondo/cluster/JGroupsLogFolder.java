package dev.rondo.cluster;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jgroups.protocols.raft.LogEntry;
import org.jspecify.annotations.Nullable;

/// The folder of a log: what is done with its files without jgroups-raft.
///
/// A file takes the place of another when it is whole and on the disk, so that either the old one
/// is there or the new one, whenever the machine stops.
///
/// Used by one thread at a time.
final class JGroupsLogFolder {

  private static final String ENTRIES = "entries.raft";
  private static final String METADATA = "metadata.raft";
  private static final String SNAPSHOT = "state_snapshot.raft";

  /// Follows the name of a file that is to take the place of that one.
  private static final String NEW = ".new";

  /// What a copy of jgroups-raft has left that did not end.
  private static final String UNFINISHED_COPY = ENTRIES + ".tmp";

  private static final String LOCK = "lock";

  /// The index of what is known to be agreed on, and the term, with which the metadata begin.
  private static final int METADATA_BYTES = 2 * Long.BYTES;

  private static final int CHECKSUM_BYTES = Integer.BYTES;

  private interface Content {
    void writeTo(FileChannel output) throws IOException;
  }

  private final Path path;
  private @Nullable FileChannel lock;

  JGroupsLogFolder(Path path) {
    this.path = path;
  }

  @Override
  public String toString() {
    return path.toString();
  }

  // Opening.

  /// Takes the folder for a node.
  void lock() throws ClusterException, IOException {
    Files.createDirectories(path);
    FileChannel channel =
        FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (!isLocked(channel)) {
      channel.close();
      throw new ClusterException("the folder " + path + " is in use by another node", null);
    }
    lock = channel;
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      FileLock held = channel.tryLock();
      return held != null;
    } catch (OverlappingFileLockException e) {
      return false; // this process has it
    }
  }

  void unlock() {
    FileChannel locked = lock;
    if (locked != null) {
      try {
        locked.close();
      } catch (IOException e) {
        // It is released with the process.
      }
    }
  }

  /// Drops the last entries if they were not written to the end. Those before them, and what is
  /// known to be agreed on, must be whole.
  void dropUnfinished() throws ClusterException, IOException {
    JGroupsLogFile.Contents found = JGroupsLogFile.read(path.resolve(ENTRIES));
    requireWhole(found);
    for (String each : List.of(ENTRIES + NEW, SNAPSHOT + NEW, UNFINISHED_COPY)) {
      boolean _ = Files.deleteIfExists(path.resolve(each));
    }
    Path entries = path.resolve(ENTRIES);
    if (Files.exists(entries) && Files.size(entries) > found.end()) {
      try (var channel = FileChannel.open(entries, StandardOpenOption.WRITE)) {
        channel.truncate(found.end()).force(true);
      }
    }
  }

  private void requireWhole(JGroupsLogFile.Contents found) throws ClusterException, IOException {
    Path file = path.resolve(METADATA);
    byte[] bytes = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
    ByteBuffer metadata = ByteBuffer.wrap(Arrays.copyOf(bytes, METADATA_BYTES));
    long agreed = metadata.getLong();
    long term = metadata.getLong();
    if (found.last() < agreed || found.goesOn()) {
      throw damaged(
          "it has entries %d to %d, and then none that is whole; those up to %d are agreed on"
              .formatted(found.first(), found.last(), agreed));
    }
    if (found.lastTerm() > term) {
      throw damaged("its term is " + term + ", but it has an entry of term " + found.lastTerm());
    }
    boolean hasSnapshot = Files.exists(path.resolve(SNAPSHOT));
    if (found.first() > 1 && !hasSnapshot) {
      throw damaged("it begins with entry " + found.first() + ", and has no snapshot");
    }
    if (hasSnapshot && wholeSnapshot() == null) {
      throw damaged("its snapshot is not whole");
    }
  }

  private ClusterException damaged(String why) {
    return new ClusterException(
        "the log in %s is damaged, or of another version of Rondo: %s".formatted(path, why), null);
  }

  // Files.

  private void replace(String name, Content content) throws IOException {
    Path written = path.resolve(name + NEW);
    try (var channel =
        FileChannel.open(
            written,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      content.writeTo(channel);
      channel.force(true);
    }
    var _ = Files.move(written, path.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    try (var folder = FileChannel.open(path, StandardOpenOption.READ)) {
      folder.force(true);
    } catch (IOException e) {
      // This system opens no folder.
    }
  }

  /// Removes the entries before one. The file must not be written meanwhile.
  void removeBefore(long first) throws IOException {
    Path entries = path.resolve(ENTRIES);
    replace(ENTRIES, output -> JGroupsLogFile.copy(entries, first, output));
  }

  /// Has one entry take the place of all.
  void replaceEntries(long index, LogEntry sealed) throws IOException {
    replace(ENTRIES, output -> JGroupsLogFile.write(output, index, sealed));
  }

  /// Waits until terms and votes are on the disk.
  void forceMetadata() throws IOException {
    try (var channel = FileChannel.open(path.resolve(METADATA), StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  // The snapshot.

  void writeSnapshot(ByteBuffer snapshot) throws IOException {
    ByteBuffer checksum = ByteBuffer.allocate(CHECKSUM_BYTES).putInt(checksum(snapshot)).flip();
    replace(
        SNAPSHOT,
        output -> {
          for (ByteBuffer each : List.of(snapshot.duplicate(), checksum)) {
            while (each.hasRemaining()) {
              var _ = output.write(each);
            }
          }
        });
  }

  private static int checksum(ByteBuffer bytes) {
    var checksum = new CRC32C();
    checksum.update(bytes.duplicate());
    return (int) checksum.getValue();
  }

  /// Reads the snapshot; null if there is none.
  @Nullable ByteBuffer readSnapshot() throws IOException {
    if (!Files.exists(path.resolve(SNAPSHOT))) {
      return null;
    }
    ByteBuffer snapshot = wholeSnapshot();
    if (snapshot == null) {
      throw new IOException("the snapshot is damaged");
    }
    return snapshot;
  }

  /// Reads the snapshot; null if it is damaged.
  private @Nullable ByteBuffer wholeSnapshot() throws IOException {
    byte[] sealed = Files.readAllBytes(path.resolve(SNAPSHOT));
    int length = sealed.length - CHECKSUM_BYTES;
    if (length < 0) {
      return null;
    }
    ByteBuffer snapshot = ByteBuffer.wrap(Arrays.copyOf(sealed, length));
    return ByteBuffer.wrap(sealed).getInt(length) == checksum(snapshot) ? snapshot : null;
  }
}
