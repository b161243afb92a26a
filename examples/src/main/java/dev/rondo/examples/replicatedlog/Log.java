package dev.rondo.examples.replicatedlog;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The log, in memory and in a file. The first record of the file is the position after which the
/// log begins.
final class Log implements Closeable {

  private final Path path;
  private RecordFile file;
  private Position base;
  private final List<Entry> entries = new ArrayList<>();
  private long durable;

  /// Opens the log, which is empty at first.
  Log(Path path) throws IOException {
    this.path = path;
    List<byte[]> records =
        Files.exists(path) ? RecordFile.read(path) : List.of(encoded(Position.START));
    if (records.isEmpty()) {
      throw new IOException("the log has no valid beginning: " + path);
    }
    base = Wire.readPosition(Wire.in(records.getFirst()));
    for (byte[] record : records.subList(1, records.size())) {
      entries.add(Wire.readEntry(Wire.in(record)));
    }
    file = RecordFile.create(path, records);
    durable = last().index();
  }

  private static byte[] encoded(Position base) throws IOException {
    return Wire.bytes(out -> Wire.write(base, out));
  }

  private static byte[] encoded(Entry entry) throws IOException {
    return Wire.bytes(out -> Wire.write(entry, out));
  }

  /// {@return the position before the first entry}
  Position base() {
    return base;
  }

  Position last() {
    return entries.isEmpty() ? base : entries.getLast().position();
  }

  /// {@return the number of entries}
  int size() {
    return entries.size();
  }

  /// {@return the index up to which it is on the disk}
  long durable() {
    return durable;
  }

  /// {@return whether there is an entry at the position, or it is the base}
  boolean contains(Position position) {
    return position.index() >= base.index()
        && position.index() <= last().index()
        && position(position.index()).equals(position);
  }

  /// @param index from the base to the last entry
  Position position(long index) {
    return index == base.index() ? base : entry(index).position();
  }

  /// @param index after the base, up to the last entry
  Entry entry(long index) {
    return entries.get(offset(index));
  }

  /// {@return entries from an index on, which may be the index after the last entry}
  List<Entry> entries(long from, int limit) {
    int start = offset(from);
    return List.copyOf(entries.subList(start, start + Math.min(entries.size() - start, limit)));
  }

  private int offset(long index) {
    return (int) (index - base.index() - 1);
  }

  void append(List<Entry> added) throws IOException {
    List<byte[]> records = new ArrayList<>();
    for (Entry entry : added) {
      records.add(encoded(entry));
    }
    file.append(records);
    entries.addAll(added);
  }

  /// Removes the entries from an index on.
  void truncate(long from) throws IOException {
    file.truncate(1 + offset(from));
    entries.subList(offset(from), entries.size()).clear();
    durable = Math.min(durable, from - 1);
  }

  void force() throws IOException {
    file.force();
    durable = last().index();
  }

  /// Forgets the entries up to a position; all of them if the log does not contain it.
  void startBehind(Position position) throws IOException {
    List<Entry> kept =
        contains(position) ? entries(position.index() + 1, Integer.MAX_VALUE) : List.of();
    List<byte[]> records = new ArrayList<>();
    records.add(encoded(position));
    for (Entry entry : kept) {
      records.add(encoded(entry));
    }
    file.close();
    file = RecordFile.create(path, records);
    entries.clear();
    entries.addAll(kept);
    base = position;
    durable = last().index();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
