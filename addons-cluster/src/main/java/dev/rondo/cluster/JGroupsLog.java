package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import java.util.zip.CRC32C;
import org.jgroups.Address;
import org.jgroups.protocols.raft.FileBasedLog;
import org.jgroups.protocols.raft.Log;
import org.jgroups.protocols.raft.LogEntries;
import org.jgroups.protocols.raft.LogEntry;
import org.jspecify.annotations.Nullable;

/// The log of a node in its folder, which no other node uses at the same time.
///
/// It is stricter than that of jgroups-raft 1.1.4, which prints a failure to write and goes on,
/// takes an older term for the present one when it receives old entries, and does not wait until a
/// vote or a snapshot is on the disk. After a failure this log refuses everything, and the node
/// leaves.
///
/// Each entry ends with a checksum. jgroups-raft makes the file longer before it writes an entry,
/// so one that the disk had no space for, or that a process was killed at, looks whole: its end is
/// zeros. Such an entry was never confirmed, and is dropped when the log is opened.
///
/// JGroups ends the thread that writes by an interrupt, which closes the file below it. So a
/// failure of a node that leaves is not reported: what was not written is not confirmed, as after a
/// crash.
final class JGroupsLog extends FileBasedLog {

  private static final String ENTRIES = "entries.raft";
  private static final String METADATA = "metadata.raft";
  private static final String SNAPSHOT = "state_snapshot.raft";
  private static final String NEW_SNAPSHOT = "state_snapshot.new";
  private static final String LOCK = "lock";

  /// The form of an entry's header in jgroups-raft 1.1.
  private static final byte ENTRY = 1;

  private static final int HEADER_BYTES = 2 + 2 * Integer.BYTES + 2 * Long.BYTES;

  private static final int CHECKSUM_BYTES = Integer.BYTES;

  private final Path folder;
  private final Consumer<Throwable> onFailure;
  private @Nullable FileChannel lock;
  private volatile @Nullable Throwable failure;
  private volatile boolean leaving;

  /// Makes one.
  ///
  /// @param onFailure called on any thread; must not block
  JGroupsLog(Path folder, Consumer<Throwable> onFailure) {
    this.folder = folder;
    this.onFailure = onFailure;
  }

  void open() throws Exception {
    Files.createDirectories(folder);
    FileChannel channel =
        FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (!isLocked(channel)) {
      channel.close();
      throw new ClusterException("the folder " + folder + " is in use by another node", null);
    }
    lock = channel;
    boolean usable = false;
    try {
      init(folder.toString(), Map.of());
      var _ = useFsync(true);
      dropUnfinished();
      usable = true;
    } finally {
      if (!usable) {
        close();
      }
    }
  }

  /// Drops the last entries if they were not written to the end. Those before them, and what is
  /// known to be agreed on, must be whole.
  private void dropUnfinished() throws ClusterException {
    long first = Math.max(firstAppended(), 1);
    long last = lastAppended();
    long whole = first - 1;
    while (whole < last && isWhole(whole + 1)) {
      whole++;
    }
    boolean lacksAgreed = last > 0 && whole < Math.max(firstAppended(), commitIndex());
    if (lacksAgreed || hasWhole(whole + 2, last)) {
      throw new ClusterException(
          ("the log in %s is damaged, or of another version of Rondo: entry %d of %d to %d, of"
                  + " which those up to %d are agreed on")
              .formatted(folder, whole + 1, first, last, commitIndex()),
          null);
    }
    if (whole < last) {
      deleteAllEntriesStartingFrom(whole + 1);
      if (lastAppended() != whole) {
        throw new ClusterException("the log in " + folder + " cannot be written", null);
      }
    }
  }

  private boolean hasWhole(long first, long last) {
    for (long index = first; index <= last; index++) {
      if (isWhole(index)) {
        return true;
      }
    }
    return false;
  }

  private boolean isWhole(long index) {
    LogEntry sealed = super.get(index);
    return sealed != null && isWhole(index, sealed);
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      FileLock held = channel.tryLock();
      return held != null;
    } catch (OverlappingFileLockException e) {
      return false; // this process has it
    }
  }

  /// To be called before the threads that write are interrupted.
  void leaving() {
    leaving = true;
  }

  @Override
  public void close() {
    try {
      super.close();
    } finally {
      FileChannel locked = lock;
      if (locked != null) {
        try {
          locked.close();
        } catch (IOException e) {
          // It is released with the process.
        }
      }
    }
  }

  // Failures.

  private void requireUsable() {
    Throwable before = failure;
    if (before != null) {
      throw new IllegalStateException("the log in " + folder + " could not be written", before);
    }
  }

  private RuntimeException failed(Throwable cause) {
    if (failure == null) {
      failure = cause;
      if (!leaving) {
        onFailure.accept(cause);
      }
    }
    return new IllegalStateException("the log in " + folder + " could not be written", cause);
  }

  private void forced(String file) {
    try (var channel = FileChannel.open(folder.resolve(file), StandardOpenOption.WRITE)) {
      channel.force(true);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  // Entries.

  @Override
  public long append(long index, LogEntries entries) {
    requireUsable();
    try {
      LogEntry[] all = entries.toArray();
      var sealed = new LogEntries();
      for (int i = 0; i < all.length; i++) {
        var _ = sealed.add(sealed(index + i, all[i]));
      }
      long last = super.append(index, sealed);
      long expected = index + all.length - 1;
      if (last != expected || !isThere(last, all[all.length - 1])) {
        throw new IOException("entries " + index + " to " + expected + " were not written");
      }
      return last;
    } catch (IOException | RuntimeException e) {
      throw failed(e);
    }
  }

  private boolean isThere(long index, LogEntry entry) {
    LogEntry read = super.get(index);
    return read != null
        && isWhole(index, read)
        && read.term() == entry.term()
        && Arrays.equals(bytes(opened(read)), bytes(entry));
  }

  private static byte[] bytes(LogEntry entry) {
    return entry.length() == 0
        ? new byte[0]
        : Arrays.copyOfRange(entry.command(), entry.offset(), entry.offset() + entry.length());
  }

  @Override
  public @Nullable LogEntry get(long index) {
    requireUsable();
    LogEntry sealed = super.get(index);
    return sealed == null ? null : checked(index, sealed);
  }

  @Override
  public void forEach(ObjLongConsumer<LogEntry> consumer, long first, long last) {
    requireUsable();
    super.forEach((sealed, index) -> consumer.accept(checked(index, sealed), index), first, last);
  }

  // The checksum.

  private static int checksum(long index, long term, ByteBuffer command) {
    var checksum = new CRC32C();
    checksum.update(ByteBuffer.allocate(2 * Long.BYTES).putLong(index).putLong(term).flip());
    checksum.update(command);
    return (int) checksum.getValue();
  }

  private static LogEntry sealed(long index, LogEntry entry) {
    byte[] command = bytes(entry);
    byte[] sealed =
        ByteBuffer.allocate(command.length + CHECKSUM_BYTES)
            .put(command)
            .putInt(checksum(index, entry.term(), ByteBuffer.wrap(command)))
            .array();
    return new LogEntry(entry.term(), sealed).internal(entry.internal());
  }

  private static boolean isWhole(long index, LogEntry sealed) {
    int length = sealed.length() - CHECKSUM_BYTES;
    if (length < 0) {
      return false;
    }
    ByteBuffer bytes = ByteBuffer.wrap(sealed.command(), sealed.offset(), sealed.length());
    int expected = checksum(index, sealed.term(), bytes.slice(bytes.position(), length));
    return bytes.getInt(bytes.position() + length) == expected;
  }

  private static LogEntry opened(LogEntry sealed) {
    int length = sealed.length() - CHECKSUM_BYTES;
    return new LogEntry(sealed.term(), sealed.command(), sealed.offset(), length)
        .internal(sealed.internal());
  }

  private LogEntry checked(long index, @Nullable LogEntry sealed) {
    if (sealed == null || !isWhole(index, sealed)) {
      throw failed(new IOException("entry " + index + " is damaged"));
    }
    return opened(sealed);
  }

  @Override
  public void truncate(long index) {
    requireUsable();
    super.truncate(index);
    forced(ENTRIES);
  }

  @Override
  public void reinitializeTo(long index, LogEntry entry) {
    requireUsable();
    long term = currentTerm();
    LogEntry sealed = sealed(index, entry);
    super.reinitializeTo(index, sealed);
    writeFirst(index, sealed);
    var _ = currentTerm(term);
  }

  /// Writes the entry that stands for a snapshot: jgroups-raft writes none of its bytes, and reads
  /// the log as an empty one when the node starts again.
  private void writeFirst(long index, LogEntry sealed) {
    byte[] command = bytes(sealed);
    ByteBuffer bytes =
        ByteBuffer.allocate(HEADER_BYTES + command.length)
            .put(ENTRY)
            .putInt(HEADER_BYTES + command.length)
            .putLong(sealed.term())
            .putLong(index)
            .put((byte) 0)
            .putInt(command.length)
            .put(command)
            .flip();
    try (var channel = FileChannel.open(folder.resolve(ENTRIES), StandardOpenOption.WRITE)) {
      for (int at = 0; bytes.hasRemaining(); ) {
        at += channel.write(bytes, at);
      }
      channel.force(true);
    } catch (IOException e) {
      throw failed(e);
    }
    if (!isThere(index, opened(sealed))) {
      throw failed(new IOException("entry " + index + " was not written"));
    }
  }

  // Terms and votes.

  /// A term never goes back: a node that forgets that it has voted votes twice.
  @Override
  public Log currentTerm(long term) {
    requireUsable();
    return term > currentTerm() ? super.currentTerm(term) : this;
  }

  @Override
  public Log votedFor(@Nullable Address member) {
    requireUsable();
    Log log = super.votedFor(member);
    forced(METADATA);
    return log;
  }

  // The snapshot.

  /// Either the old one is there or the new one, whenever the machine stops.
  @Override
  public void setSnapshot(ByteBuffer snapshot) {
    requireUsable();
    Path written = folder.resolve(NEW_SNAPSHOT);
    ByteBuffer left = requireNonNull(snapshot).duplicate();
    try {
      try (var channel =
          FileChannel.open(
              written,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        while (left.hasRemaining()) {
          var _ = channel.write(left);
        }
        channel.force(true);
      }
      var _ = Files.move(written, folder.resolve(SNAPSHOT), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw failed(new UncheckedIOException(e));
    }
  }
}
