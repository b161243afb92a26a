package dev.rondo.examples.replicatedlog;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The durable state of a replica in a folder: its vote, its log, its last snapshot.
///
/// A failure of the disk is an [UncheckedIOException], which ends the replica, because the content
/// of the disk is then unknown. After a restart the replica reads the content again.
class Storage implements Closeable {

  /// The number of entries of the snapshot that stay in the log, for followers that are behind.
  private static final int KEPT_ENTRIES = 32;

  private final Path votes;
  private final Path snapshots;
  private final Log log;
  private long term;
  private int votedFor;
  private Snapshot snapshot;

  /// @param folder is made if it does not exist; its parent must exist
  Storage(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      Files.createDirectory(folder);
    }
    RecordFile.forceName(folder);
    votes = folder.resolve("vote");
    snapshots = folder.resolve("snapshot");
    if (Files.exists(votes)) {
      var in = Wire.in(onlyRecord(votes));
      term = in.readLong();
      votedFor = in.readInt();
    }
    snapshot =
        Files.exists(snapshots)
            ? Wire.readSnapshot(Wire.in(onlyRecord(snapshots)))
            : Snapshot.EMPTY;
    log = new Log(folder.resolve("log"));
    try {
      if (log.base().index() > snapshot.last().index()) {
        throw new IOException("the log begins behind the snapshot: " + folder);
      }
      if (!log.contains(snapshot.last())) { // a crash came between the two
        log.startBehind(snapshot.last());
      }
    } catch (IOException e) {
      log.close();
      throw e;
    }
  }

  private static byte[] onlyRecord(Path path) throws IOException {
    List<byte[]> records = RecordFile.read(path);
    if (records.size() != 1) {
      throw new IOException("the file is damaged: " + path);
    }
    RecordFile.create(path, records).close();
    return records.getFirst();
  }

  long term() {
    return term;
  }

  /// {@return the replica for which this one has voted in its term, or [Members#NONE]}
  int votedFor() {
    return votedFor;
  }

  Log log() {
    return log;
  }

  Snapshot snapshot() {
    return snapshot;
  }

  /// Returns when the vote is on the disk.
  void vote(long newTerm, int candidate) {
    disk(() -> {
      byte[] record =
          Wire.bytes(out -> {
            out.writeLong(newTerm);
            out.writeInt(candidate);
          });
      RecordFile.create(votes, List.of(record)).close();
    });
    setVote(newTerm, candidate);
  }

  /// In memory.
  final void setVote(long newTerm, int candidate) {
    term = newTerm;
    votedFor = candidate;
  }

  /// Appends entries, which [#force()] makes durable.
  void append(List<Entry> entries) {
    disk(() -> log.append(entries));
  }

  /// Removes the entries from an index on.
  void truncate(long from) {
    disk(() -> log.truncate(from));
  }

  /// Returns when the log is on the disk.
  void force() {
    disk(log::force);
  }

  /// Keeps a snapshot in place of the entries that it covers.
  void save(Snapshot taken) {
    disk(() -> {
      write(taken);
      long from = Math.max(log.base().index(), taken.last().index() - keptEntries());
      log.startBehind(log.position(from));
    });
  }

  /// Overridden by a test.
  int keptEntries() {
    return KEPT_ENTRIES;
  }

  /// Keeps a snapshot of the leader, which is ahead of this replica.
  void install(Snapshot received) {
    disk(() -> {
      write(received);
      log.startBehind(received.last());
    });
  }

  private void write(Snapshot written) throws IOException {
    RecordFile.create(snapshots, List.of(Wire.bytes(out -> Wire.write(written, out)))).close();
    snapshot = written;
  }

  private interface DiskAction {
    void run() throws IOException;
  }

  private static void disk(DiskAction action) {
    try {
      action.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    log.close();
  }
}
