package dev.rondo.cluster;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jgroups.protocols.raft.LogEntry;
import org.jspecify.annotations.Nullable;

/// The folder of a log.
///
/// | file | has | is written |
/// |---|---|---|
/// | `entries.raft` | the entries, see [JGroupsLogFile] | at its end, and is on the disk before an entry counts |
/// | `metadata.raft` | the term and the vote in it | as a whole |
/// | `agreed.raft` | the index of the last entry that is known to be agreed on | in place, see [JGroupsAgreedFile]; the disk may have an older one |
/// | `state_snapshot.raft` | the state that entries before those of the log have led to | as a whole |
/// | `lock` | nothing | is locked while a node uses the folder |
///
/// A file that is written as a whole takes the place of the one before when it is on the disk. So
/// either the old one is there or the new one, whenever the machine stops. Each ends with a
/// checksum. An interrupt does not end what is done here.
///
/// Used by one thread at a time.
final class JGroupsLogFolder {

  private static final String ENTRIES = "entries.raft";
  private static final String METADATA = "metadata.raft";
  private static final String AGREED = "agreed.raft";
  private static final String SNAPSHOT = "state_snapshot.raft";

  /// Follows the name of a file that is to take the place of that one.
  private static final String NEW = ".new";

  private static final String LOCK = "lock";

  static final int CHECKSUM_BYTES = Integer.BYTES;

  private interface Content {
    void writeTo(OutputStream output) throws IOException;
  }

  private final Path path;
  private @Nullable FileChannel lock;

  /// Is open while the log is: each entry that is agreed on changes it.
  private @Nullable JGroupsAgreedFile agreedFile;

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

  /// Lets another node use the folder.
  void unlock() {
    close(agreedFile);
    agreedFile = null;
    close(lock);
    lock = null;
  }

  private static void close(@Nullable Closeable file) {
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        // It is closed with the process.
      }
    }
  }

  /// What a folder has.
  record Opened(JGroupsBallot ballot, long agreed, JGroupsLogEntries entries) {}

  /// Opens the files, and makes those of a new log. Drops the last entries if they were not written
  /// to the end. Those before them, and what is known to be agreed on, must be whole.
  Opened open() throws ClusterException, IOException {
    if (isNew()) {
      writeBallot(JGroupsBallot.NONE);
      replace(AGREED, output -> output.write(JGroupsAgreedFile.ofNewLog()));
    }
    JGroupsBallot ballot = JGroupsBallot.of(content(METADATA, "its term and vote"));
    if (ballot == null) {
      throw damaged("its term and vote are of another form");
    }
    JGroupsAgreedFile agreedOn = openAgreed();
    agreedFile = agreedOn;
    long agreed = agreedOn.index();
    var ends = new JGroupsLogEntries.Ends();
    JGroupsLogFile.Contents found = JGroupsLogFile.read(path.resolve(ENTRIES), ends::add);
    requireWhole(found, ballot.term(), agreed);
    for (String each : List.of(ENTRIES, METADATA, AGREED, SNAPSHOT)) {
      boolean _ = Files.deleteIfExists(path.resolve(each + NEW));
    }
    var entries = new JGroupsLogEntries(path.resolve(ENTRIES), found.first(), ends);
    return new Opened(ballot, Math.max(agreed, entries.first()), entries);
  }

  private JGroupsAgreedFile openAgreed() throws ClusterException, IOException {
    Path file = path.resolve(AGREED);
    JGroupsAgreedFile opened = Files.exists(file) ? JGroupsAgreedFile.open(file) : null;
    if (opened == null) {
      throw notWhole(file, "what is agreed on");
    }
    return opened;
  }

  /// Opens the entries again when their file was replaced.
  JGroupsLogEntries reopen() throws IOException {
    var ends = new JGroupsLogEntries.Ends();
    JGroupsLogFile.Contents found = JGroupsLogFile.read(path.resolve(ENTRIES), ends::add);
    return new JGroupsLogEntries(path.resolve(ENTRIES), found.first(), ends);
  }

  /// The term and the vote are the first that a node writes.
  private boolean isNew() {
    return Stream.of(ENTRIES, METADATA, AGREED, SNAPSHOT)
        .noneMatch(each -> Files.exists(path.resolve(each)));
  }

  private void requireWhole(JGroupsLogFile.Contents found, long term, long agreed)
      throws ClusterException, IOException {
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
    if (hasSnapshot) {
      var _ = content(SNAPSHOT, "its snapshot");
    }
  }

  private ClusterException damaged(String why) {
    return new ClusterException(
        "the log in %s is damaged, or of another version of Rondo: %s".formatted(path, why), null);
  }

  // Files.

  private void replace(String name, Content content) throws IOException {
    Path written = path.resolve(name + NEW);
    try (var output = new FileOutputStream(written.toFile())) {
      var buffered = new BufferedOutputStream(output);
      content.writeTo(buffered);
      buffered.flush();
      output.getFD().sync();
    }
    var _ = Files.move(written, path.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    forceFolder();
  }

  /// Waits until the names of the files are on the disk. Only a channel can do that, and an
  /// interrupt closes it.
  private void forceFolder() {
    boolean interrupted = false;
    boolean repeats;
    do {
      interrupted |= Thread.interrupted();
      try (var folder = FileChannel.open(path, StandardOpenOption.READ)) {
        folder.force(true);
        repeats = false;
      } catch (IOException e) {
        repeats = e instanceof ClosedByInterruptException; // else this system opens no folder
      }
    } while (repeats);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// Removes the entries before one. The file must not be open meanwhile.
  void removeBefore(long first) throws IOException {
    Path entries = path.resolve(ENTRIES);
    replace(ENTRIES, output -> JGroupsLogFile.copy(entries, first, output));
  }

  /// Has one entry take the place of all. The file must not be open meanwhile.
  void replaceEntries(long index, LogEntry sealed) throws IOException {
    replace(ENTRIES, output -> output.write(JGroupsLogFile.bytes(index, index, sealed)));
  }

  void writeBallot(JGroupsBallot ballot) throws IOException {
    replace(METADATA, output -> output.write(sealed(ByteBuffer.wrap(ballot.bytes()))));
  }

  /// Writes the index of what is known to be agreed on, and does not wait for the disk.
  void writeAgreed(long index) throws IOException {
    JGroupsAgreedFile file = agreedFile;
    if (file == null) {
      throw new IOException("the log is closed");
    }
    file.write(index);
  }

  void writeSnapshot(ByteBuffer snapshot) throws IOException {
    replace(SNAPSHOT, output -> output.write(sealed(snapshot)));
  }

  /// Reads the snapshot; null if there is none.
  @Nullable ByteBuffer readSnapshot() throws IOException {
    if (!Files.exists(path.resolve(SNAPSHOT))) {
      return null;
    }
    ByteBuffer snapshot = opened(Files.readAllBytes(path.resolve(SNAPSHOT)));
    if (snapshot == null) {
      throw new IOException("the snapshot is damaged");
    }
    return snapshot;
  }

  // The checksum of a file that is written as a whole.

  private static int checksum(ByteBuffer bytes) {
    var checksum = new CRC32C();
    checksum.update(bytes.duplicate());
    return (int) checksum.getValue();
  }

  static byte[] sealed(ByteBuffer content) {
    return ByteBuffer.allocate(content.remaining() + CHECKSUM_BYTES)
        .put(content.duplicate())
        .putInt(checksum(content))
        .array();
  }

  /// Returns what is before the checksum; null if that is wrong. The checksum of nothing is zeros.
  static @Nullable ByteBuffer opened(byte[] sealed) {
    int length = sealed.length - CHECKSUM_BYTES;
    if (length <= 0) {
      return null;
    }
    ByteBuffer content = ByteBuffer.wrap(Arrays.copyOf(sealed, length));
    return ByteBuffer.wrap(sealed).getInt(length) == checksum(content) ? content : null;
  }

  /// Reads a file that must be there, and whole.
  private ByteBuffer content(String name, String what) throws ClusterException, IOException {
    Path file = path.resolve(name);
    ByteBuffer content = Files.exists(file) ? opened(Files.readAllBytes(file)) : null;
    if (content == null) {
      throw notWhole(file, what);
    }
    return content;
  }

  private ClusterException notWhole(Path file, String what) {
    return damaged(
        "%s (%s) is %s"
            .formatted(file.getFileName(), what, Files.exists(file) ? "not whole" : "missing"));
  }
}
