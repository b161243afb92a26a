package dev.rondo.cluster;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import org.jgroups.Address;
import org.jgroups.protocols.raft.Log;
import org.jgroups.protocols.raft.LogEntries;
import org.jgroups.protocols.raft.LogEntry;
import org.jspecify.annotations.Nullable;

/// The log of a node in its folder, which no other node uses at the same time.
///
/// It takes the place of that of jgroups-raft 1.1.4:
///
/// | jgroups-raft 1.1.4 | here |
/// |---|---|
/// | prints a failure to write, and goes on | refuses everything after a failure, and the node leaves |
/// | does not know whether a term or a vote is whole; has a vote of the term before in a new one | knows; each term begins without a vote |
/// | takes an older term for the present one when it receives old entries | a term never goes back |
/// | does not wait until a vote or a snapshot is on the disk | waits |
/// | an interrupt of a thread that votes closes the files below it, for all | an interrupt changes nothing |
/// | a thread that gives a vote reads with the buffer that another writes entries with | one at a time |
/// | removes old entries by a copy that may be cut off, as on a full disk, or end with those of an earlier copy | the copy is whole before it takes the place of the file |
/// | is empty, with what was agreed on forgotten, if a process ends while it takes over a snapshot | has what it had before, or the snapshot |
/// | leaves a descriptor to the collector of garbage each time it is opened | none |
///
/// Each entry ends with a checksum. One that the disk had no space for, or that a process was
/// killed at or a machine stopped at, was never confirmed. It is dropped when the log is opened,
/// and so are those that were written together with it and follow it.
///
/// A failure of a node that leaves is not reported: what was not written is not confirmed, as after
/// a crash.
///
/// Any thread.
final class JGroupsLog implements Log {

  private final JGroupsLogFolder folder;
  private final Consumer<Throwable> onFailure;

  /// Held while the files are used: threads of jgroups-raft that vote do not wait for those that
  /// write.
  private final ReentrantLock using = new ReentrantLock();

  private @Nullable JGroupsLogEntries entries;
  private JGroupsBallot ballot = JGroupsBallot.NONE;

  /// The index of the last entry that is known to be agreed on.
  private long agreed;

  private volatile @Nullable Throwable failure;
  private volatile boolean leaving;

  /// Makes one.
  ///
  /// @param onFailure called on any thread; must not block
  JGroupsLog(Path path, Consumer<Throwable> onFailure) {
    this.folder = new JGroupsLogFolder(path);
    this.onFailure = onFailure;
  }

  void open() throws ClusterException, IOException {
    folder.lock();
    try {
      JGroupsLogFolder.Opened opened = folder.open();
      ballot = opened.ballot();
      agreed = opened.agreed();
      entries = opened.entries();
    } finally {
      if (entries == null) {
        folder.unlock();
      }
    }
  }

  /// To be called before the log is closed.
  void leaving() {
    leaving = true;
  }

  @Override
  public void close() {
    using.lock();
    try {
      closeEntries();
    } catch (IOException e) {
      // What counts is on the disk.
    } finally {
      folder.unlock();
      using.unlock();
    }
  }

  private void closeEntries() throws IOException {
    JGroupsLogEntries open = entries;
    entries = null;
    if (open != null) {
      open.close();
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

  /// {@return whether the log has failed, and the node is leaving} Any thread.
  boolean hasFailed() {
    return failure != null;
  }

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

  /// Has the log fail, because it is not that of the others.
  RuntimeException contradicted(long index, long term, long othersTerm) {
    return locked(() ->
        failed(
            new IllegalStateException(
                ("entry %d was agreed on in term %d, but the leader has another one, of term %d: a"
                        + " voter has lost what it had written")
                    .formatted(index, term, othersTerm))));
  }

  private interface Change {
    void make() throws IOException;
  }

  /// Changes the files, or has the log fail.
  private void change(Change change) {
    var _ =
        use(() -> {
          try {
            change.make();
          } catch (IOException | RuntimeException e) {
            throw failed(e);
          }
          return true;
        });
  }

  /// Has the file of entries replaced, and reads it. Windows replaces no file that is open.
  private void reopen(Change replacement) throws IOException {
    closeEntries();
    replacement.make();
    entries = folder.reopen();
  }

  private JGroupsLogEntries entries() throws IOException {
    JGroupsLogEntries open = entries;
    if (open == null) {
      throw new IOException("the log is closed");
    }
    return open;
  }

  // Entries.

  @Override
  public long firstAppended() {
    return locked(() -> entries == null ? 0 : entries.first());
  }

  @Override
  public long lastAppended() {
    return locked(() -> entries == null ? 0 : entries.last());
  }

  @Override
  public long sizeInBytes() {
    return locked(() -> entries == null ? 0 : entries.sizeBytes());
  }

  /// Writes entries in the place of those from an index on, which must not leave a gap.
  @Override
  public long append(long index, LogEntries added) {
    change(() -> {
      LogEntry[] sealed = added.toArray();
      long term = ballot.term();
      for (int i = 0; i < sealed.length; i++) {
        term = Math.max(term, sealed[i].term());
        sealed[i] = sealed(index + i, index, sealed[i]);
      }
      raiseTerm(term);
      removeFrom(index);
      if (index != entries().last() + 1) {
        throw new IOException("entry " + index + " would follow entry " + entries().last());
      }
      entries().append(sealed);
    });
    return lastAppended();
  }

  private static LogEntry sealed(long index, long writtenFrom, LogEntry entry) {
    byte[] command =
        entry.length() == 0
            ? new byte[0]
            : Arrays.copyOfRange(entry.command(), entry.offset(), entry.offset() + entry.length());
    byte[] sealed = JGroupsLogFile.sealed(index, writtenFrom, entry.term(), command);
    return new LogEntry(entry.term(), sealed).internal(entry.internal());
  }

  @Override
  public @Nullable LogEntry get(long index) {
    return use(() -> {
      try {
        return entries().has(index) ? read(index) : null;
      } catch (IOException e) {
        throw failed(e);
      }
    });
  }

  private LogEntry read(long index) throws IOException {
    LogEntry sealed = entries().get(index);
    if (sealed == null) {
      throw new IOException("entry " + index + " is damaged");
    }
    return JGroupsLogFile.opened(sealed);
  }

  @Override
  public void forEach(ObjLongConsumer<LogEntry> consumer, long first, long last) {
    for (long index = Math.max(first, Math.max(1, firstAppended())); index <= last; index++) {
      LogEntry entry = get(index);
      if (entry == null) {
        return;
      }
      consumer.accept(entry, index);
    }
  }

  @Override
  public void forEach(ObjLongConsumer<LogEntry> consumer) {
    forEach(consumer, firstAppended(), lastAppended());
  }

  @Override
  public void deleteAllEntriesStartingFrom(long first) {
    change(() -> removeFrom(first));
  }

  private void removeFrom(long first) throws IOException {
    if (entries().has(first)) {
      entries().removeFrom(first);
    }
  }

  /// Removes the entries before one, which is agreed on.
  @Override
  public void truncate(long index) {
    change(() -> {
      long first = Math.min(index, agreed);
      if (first > entries().first()) {
        reopen(() -> folder.removeBefore(first));
      }
    });
  }

  @Override
  public void reinitializeTo(long index, LogEntry entry) {
    change(() -> {
      raiseTerm(entry.term());
      reopen(() -> folder.replaceEntries(index, sealed(index, index, entry)));
      agree(index);
    });
  }

  // What is agreed on, terms and votes.

  @Override
  public long commitIndex() {
    return locked(() -> agreed);
  }

  @Override
  public Log commitIndex(long index) {
    change(() -> agree(index));
    return this;
  }

  private void agree(long index) throws IOException {
    if (index != agreed) {
      folder.writeAgreed(index);
      agreed = index;
    }
  }

  @Override
  public long currentTerm() {
    return locked(() -> ballot.term());
  }

  /// A term never goes back: a node that forgets that it has voted votes twice.
  @Override
  public Log currentTerm(long term) {
    change(() -> raiseTerm(term));
    return this;
  }

  private void raiseTerm(long term) throws IOException {
    if (term > ballot.term()) {
      write(new JGroupsBallot(term, null));
    }
  }

  private void write(JGroupsBallot next) throws IOException {
    folder.writeBallot(next);
    ballot = next;
  }

  @Override
  public @Nullable Address votedFor() {
    return locked(() -> ballot.votedFor());
  }

  @Override
  public Log votedFor(@Nullable Address member) {
    change(() -> {
      if (!Objects.equals(member, ballot.votedFor())) {
        write(new JGroupsBallot(ballot.term(), member));
      }
    });
    return this;
  }

  // The snapshot.

  @Override
  public void setSnapshot(ByteBuffer snapshot) {
    change(() -> folder.writeSnapshot(snapshot));
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

  // What jgroups-raft does with a log that it makes by itself.

  /// Is refused: see [#open()].
  @Override
  public void init(String name, Map<String, String> arguments) {
    throw new UnsupportedOperationException("a log is opened by open()");
  }

  /// Does nothing: whatever is written is on the disk before it counts.
  @Override
  public Log useFsync(boolean value) {
    return this;
  }

  @Override
  public boolean useFsync() {
    return true;
  }

  /// Is refused.
  @Override
  public void delete() {
    throw new UnsupportedOperationException("a voter that has lost its log must not come back");
  }
}
