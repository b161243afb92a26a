package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import org.jgroups.Address;
import org.jgroups.protocols.raft.FileBasedLog;
import org.jgroups.protocols.raft.Log;
import org.jgroups.protocols.raft.LogEntries;
import org.jgroups.protocols.raft.LogEntry;
import org.jspecify.annotations.Nullable;

/// The log of a node in its folder, which no other node uses at the same time.
///
/// It is stricter than that of jgroups-raft 1.1.4:
///
/// | jgroups-raft 1.1.4 | here |
/// |---|---|
/// | prints a failure to write, and goes on | refuses everything after a failure, and the node leaves |
/// | takes an older term for the present one when it receives old entries | a term never goes back |
/// | does not wait until a vote or a snapshot is on the disk | waits |
/// | a thread that gives a vote reads with the buffer that another writes entries with | one at a time |
/// | removes old entries by a copy that may be cut off, as on a full disk, or end with those of an earlier copy | the copy is whole before it takes the place of the file |
/// | is empty, with what was agreed on forgotten, if a process ends while it takes over a snapshot | has what it had before, or the snapshot |
///
/// Each entry, and the snapshot, ends with a checksum. jgroups-raft makes the file longer before it
/// writes an entry, so one that the disk had no space for, or that a process was killed at, looks
/// whole: its end is zeros. Such an entry was never confirmed, and is dropped when the log is
/// opened.
///
/// JGroups ends the thread that writes by an interrupt, which closes the file below it. So a
/// failure of a node that leaves is not reported: what was not written is not confirmed, as after a
/// crash.
///
/// Any thread.
final class JGroupsLog extends FileBasedLog {

  private interface Replacement {
    void make() throws IOException;
  }

  private final Path path;
  private final JGroupsLogFolder folder;
  private final Consumer<Throwable> onFailure;

  /// Held while the files are used, because jgroups-raft has one buffer for reading and writing,
  /// and its threads that vote do not wait for those that write.
  private final ReentrantLock using = new ReentrantLock();

  private volatile @Nullable Throwable failure;
  private volatile boolean leaving;

  /// Makes one.
  ///
  /// @param onFailure called on any thread; must not block
  JGroupsLog(Path path, Consumer<Throwable> onFailure) {
    this.path = path;
    this.folder = new JGroupsLogFolder(path);
    this.onFailure = onFailure;
  }

  void open() throws Exception {
    folder.lock();
    boolean usable = false;
    try {
      folder.dropUnfinished();
      openFiles();
      if (commitIndex() < firstAppended()) {
        var _ = commitIndex(firstAppended()); // those before it were removed
      }
      usable = true;
    } finally {
      if (!usable) {
        close();
      }
    }
  }

  private void openFiles() throws Exception {
    init(path.toString(), Map.of());
    var _ = useFsync(true);
  }

  /// To be called before the threads that write are interrupted.
  void leaving() {
    leaving = true;
  }

  @Override
  public void close() {
    using.lock();
    try {
      super.close();
    } finally {
      using.unlock();
      folder.unlock();
    }
  }

  private <T extends @Nullable Object> T locked(Supplier<T> action) {
    using.lock();
    try {
      return action.get();
    } finally {
      using.unlock();
    }
  }

  /// Does something with the files, unless the log has failed.
  private <T extends @Nullable Object> T use(Supplier<T> action) {
    return locked(() -> {
      Throwable before = failure;
      if (before != null) {
        throw unusable(before);
      }
      return action.get();
    });
  }

  // Failures.

  private IllegalStateException unusable(Throwable cause) {
    return new IllegalStateException("the log in " + folder + " has failed: " + cause, cause);
  }

  private RuntimeException failed(Throwable cause) {
    if (failure == null) {
      failure = cause;
      if (!leaving) {
        onFailure.accept(cause);
      }
    }
    return unusable(cause);
  }

  /// Has the file of entries replaced, and reads it. Windows replaces no file that is open.
  private void reopen(Replacement replacement) {
    try {
      super.close();
      replacement.make();
      openFiles();
    } catch (Exception e) {
      throw failed(e);
    }
  }

  // Entries.

  @Override
  public long firstAppended() {
    return locked(super::firstAppended);
  }

  @Override
  public long lastAppended() {
    return locked(super::lastAppended);
  }

  @Override
  public long append(long index, LogEntries entries) {
    return use(() -> appended(index, entries.toArray()));
  }

  private long appended(long index, LogEntry[] all) {
    try {
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

  private static LogEntry sealed(long index, LogEntry entry) {
    byte[] sealed = JGroupsLogFile.sealed(index, entry.term(), bytes(entry));
    return new LogEntry(entry.term(), sealed).internal(entry.internal());
  }

  private boolean isThere(long index, LogEntry entry) {
    LogEntry read = super.get(index);
    return read != null
        && JGroupsLogFile.isWhole(index, read)
        && read.term() == entry.term()
        && Arrays.equals(bytes(JGroupsLogFile.opened(read)), bytes(entry));
  }

  private static byte[] bytes(LogEntry entry) {
    return entry.length() == 0
        ? new byte[0]
        : Arrays.copyOfRange(entry.command(), entry.offset(), entry.offset() + entry.length());
  }

  private LogEntry checked(long index, @Nullable LogEntry sealed) {
    if (sealed == null || !JGroupsLogFile.isWhole(index, sealed)) {
      throw failed(new IOException("entry " + index + " is damaged"));
    }
    return JGroupsLogFile.opened(sealed);
  }

  @Override
  public @Nullable LogEntry get(long index) {
    return use(() -> {
      LogEntry sealed = super.get(index);
      return sealed == null ? null : checked(index, sealed);
    });
  }

  @Override
  public void forEach(ObjLongConsumer<LogEntry> consumer, long first, long last) {
    var _ =
        use(() -> {
          super.forEach(
              (sealed, index) -> consumer.accept(checked(index, sealed), index), first, last);
          return true;
        });
  }

  @Override
  public void deleteAllEntriesStartingFrom(long first) {
    var _ =
        use(() -> {
          super.deleteAllEntriesStartingFrom(first);
          return true;
        });
  }

  @Override
  public void truncate(long index) {
    var _ =
        use(() -> {
          long first = Math.min(index, commitIndex());
          if (first > super.firstAppended()) {
            reopen(() -> folder.removeBefore(first));
          }
          return true;
        });
  }

  @Override
  public void reinitializeTo(long index, LogEntry entry) {
    var _ =
        use(() -> {
          reopen(() -> folder.replaceEntries(index, sealed(index, entry)));
          return commitIndex(index).currentTerm(entry.term());
        });
  }

  // What is agreed on, terms and votes.

  @Override
  public Log commitIndex(long index) {
    return locked(() -> super.commitIndex(index));
  }

  /// A term never goes back: a node that forgets that it has voted votes twice.
  @Override
  public Log currentTerm(long term) {
    return use(() -> term > currentTerm() ? super.currentTerm(term) : this);
  }

  @Override
  public Log votedFor(@Nullable Address member) {
    return use(() -> {
      Log log = super.votedFor(member);
      try {
        folder.forceMetadata();
      } catch (IOException e) {
        throw failed(e);
      }
      return log;
    });
  }

  // The snapshot.

  @Override
  public void setSnapshot(ByteBuffer snapshot) {
    var _ =
        use(() -> {
          try {
            folder.writeSnapshot(requireNonNull(snapshot));
          } catch (IOException e) {
            throw failed(e);
          }
          return true;
        });
  }

  @Override
  public @Nullable ByteBuffer getSnapshot() {
    return use(() -> {
      try {
        return folder.readSnapshot();
      } catch (IOException e) {
        throw failed(e);
      }
    });
  }
}
