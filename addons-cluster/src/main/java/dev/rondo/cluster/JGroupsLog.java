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
    init(folder.toString(), Map.of());
    var _ = useFsync(true);
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
      long last = super.append(index, entries);
      long expected = index + entries.size() - 1;
      LogEntry[] written = entries.toArray();
      if (last != expected || !isThere(last, written[written.length - 1])) {
        throw new IOException("entries " + index + " to " + expected + " were not written");
      }
      return last;
    } catch (IOException | RuntimeException e) {
      throw failed(e);
    }
  }

  private boolean isThere(long index, LogEntry entry) {
    LogEntry read = super.get(index);
    return read != null && read.term() == entry.term() && Arrays.equals(bytes(read), bytes(entry));
  }

  private static byte[] bytes(LogEntry entry) {
    return entry.length() == 0
        ? new byte[0]
        : Arrays.copyOfRange(entry.command(), entry.offset(), entry.offset() + entry.length());
  }

  @Override
  public LogEntry get(long index) {
    requireUsable();
    return super.get(index);
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
    super.reinitializeTo(index, entry);
    writeFirst(index, entry);
    var _ = currentTerm(term);
  }

  /// Writes the header of the entry that stands for a snapshot: jgroups-raft writes none of its
  /// bytes, and reads the log as an empty one when the node starts again.
  private void writeFirst(long index, LogEntry entry) {
    ByteBuffer header =
        ByteBuffer.allocate(HEADER_BYTES)
            .put(ENTRY)
            .putInt(HEADER_BYTES)
            .putLong(entry.term())
            .putLong(index)
            .put((byte) 0)
            .putInt(0)
            .flip();
    try (var channel = FileChannel.open(folder.resolve(ENTRIES), StandardOpenOption.WRITE)) {
      for (int at = 0; header.hasRemaining(); ) {
        at += channel.write(header, at);
      }
      channel.force(true);
    } catch (IOException e) {
      throw failed(e);
    }
    if (!isThere(index, entry)) {
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
