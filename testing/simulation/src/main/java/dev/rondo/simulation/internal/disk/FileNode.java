package dev.rondo.simulation.internal.disk;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The content of a file that is on the medium, and the changes since that are only in the page
/// cache, in their order.
final class FileNode extends Node {

  private sealed interface Change {

    final class Write implements Change {

      private final long at;
      private final byte[] bytes;

      private Write(long at, byte[] bytes) {
        this.at = at;
        this.bytes = bytes;
      }

      private long end() {
        return at + bytes.length;
      }
    }

    record Truncation(long size) implements Change {}
  }

  private final FileLocks locks = new FileLocks();
  private final List<Change> pending = new ArrayList<>();
  private SparseBytes durable = new SparseBytes();

  /// How often writing it back has failed.
  private int errors;

  SparseBytes durable() {
    return durable;
  }

  FileLocks locks() {
    return locks;
  }

  int errors() {
    return errors;
  }

  /// @param bytes not used by the caller any more
  void written(long at, byte[] bytes) {
    if (bytes.length > 0) {
      pending.add(new Change.Write(at, bytes));
    }
  }

  void truncated(long size) {
    pending.add(new Change.Truncation(size));
  }

  boolean isUnforced() {
    return !pending.isEmpty();
  }

  void force() {
    for (Change each : pending) {
      switch (each) {
        case Change.Write write -> durable.write(write.at, write.bytes, 0, write.bytes.length);
        case Change.Truncation truncation -> durable.resize(truncation.size);
      }
    }
    pending.clear();
  }

  /// Truncations and some of the writes were written back; the others stay in the page cache, but
  /// are not dirty any more, so that no later force writes them.
  void forceFailed(Fate fate, int sectorBytes) {
    keepSome(pending, fate, sectorBytes);
    errors++;
  }

  void losePower(Fate fate, int sectorBytes) {
    keepSome(untilLostTruncation(fate), fate, sectorBytes);
  }

  /// Each sector has one of the contents that it has had since it was forced last; the last write
  /// to it may be there in part.
  private void keepSome(List<Change> considered, Fate fate, int sectorBytes) {
    Map<Long, Integer> kept = keptWrites(considered, fate, sectorBytes);
    SparseBytes left = durable.copy();
    long size = left.size();
    var seen = new HashMap<Long, Integer>();
    for (Change each : considered) {
      switch (each) {
        case Change.Truncation truncation -> {
          left.resize(Math.min(left.size(), truncation.size));
          size = truncation.size;
        }
        case Change.Write write -> {
          size = Math.max(size, write.end());
          replay(write, kept, seen, left, fate, sectorBytes);
        }
      }
    }
    if (fate.keeps()) {
      left.resize(Math.max(left.size(), size)); // the size is metadata: zeros where data was lost
    }
    durable = left;
    pending.clear();
  }

  /// Truncations reach the medium in their order, and what is written after one does not before it.
  private List<Change> untilLostTruncation(Fate fate) {
    for (int i = 0; i < pending.size(); i++) {
      if (pending.get(i) instanceof Change.Truncation && !fate.keeps()) {
        return pending.subList(0, i);
      }
    }
    return pending;
  }

  /// {@return how many of the writes to a sector have reached it, by sector}
  private static Map<Long, Integer> keptWrites(List<Change> changes, Fate fate, int sectorBytes) {
    var counts = new TreeMap<Long, Integer>();
    for (Change each : changes) {
      if (each instanceof Change.Write write) {
        for (long sector = write.at / sectorBytes; sector * sectorBytes < write.end(); sector++) {
          counts.merge(sector, 1, Integer::sum);
        }
      }
    }
    counts.replaceAll((_, count) -> fate.kept(count));
    return counts;
  }

  private static void replay(
      Change.Write write,
      Map<Long, Integer> kept,
      Map<Long, Integer> seen,
      SparseBytes left,
      Fate fate,
      int sectorBytes) {
    for (long at = write.at; at < write.end(); ) {
      long sector = at / sectorBytes;
      int count = (int) (Math.min(write.end(), (sector + 1) * sectorBytes) - at);
      int ordinal = seen.merge(sector, 1, Integer::sum);
      int last = kept.getOrDefault(sector, 0);
      if (ordinal <= last) {
        int bytes = ordinal == last ? fate.keptBytes(count) : count;
        if (bytes > 0) {
          left.write(at, write.bytes, (int) (at - write.at), bytes);
        }
      }
      at += count;
    }
  }
}
