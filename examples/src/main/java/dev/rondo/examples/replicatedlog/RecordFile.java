package dev.rondo.examples.replicatedlog;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/// A file of records. In front of each record are its length and a checksum that also covers all
/// records before it. So an incomplete last write is recognised, and so are old bytes of an
/// earlier, longer version of the file.
///
/// A file is read once, when the replica starts, and is then written as a new file. The records
/// that were read need not be on the disk: a killed process may not have forced them, or the force
/// may have failed. After a failed force, Linux shows the written data and never tries to write it
/// again.
final class RecordFile implements Closeable {

  private static final int HEAD_BYTES = 2 * Integer.BYTES;

  private final FileChannel channel;

  /// The end of each record, and the checksum there.
  private final List<End> ends = new ArrayList<>();

  private boolean dirty;

  private record End(long position, int checksum) {}

  private RecordFile(FileChannel channel) {
    this.channel = channel;
    ends.add(new End(0, 0));
  }

  /// {@return the records of a file, up to the first damaged record}
  static List<byte[]> read(Path path) throws IOException {
    List<byte[]> records = new ArrayList<>();
    try (var file = new RecordFile(FileChannel.open(path, StandardOpenOption.READ))) {
      file.read(records);
    }
    return records;
  }

  /// Makes a file, which may replace an old one. After a crash there is either the old file or the
  /// new one.
  ///
  /// @return the file, for further records
  static RecordFile create(Path path, List<byte[]> records) throws IOException {
    Path draft = path.resolveSibling(path.getFileName() + ".new");
    var file =
        new RecordFile(
            FileChannel.open(
                draft,
                StandardOpenOption.WRITE,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING));
    try {
      file.append(records);
      file.force();
      Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      forceName(path);
      return file;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /// Makes the name of a file or folder durable: POSIX requires a force of its parent folder. On
  /// systems where a folder cannot be opened, a program cannot do this.
  static void forceName(Path path) throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    FileChannel channel;
    try {
      channel = FileChannel.open(folder, StandardOpenOption.READ);
    } catch (IOException _) {
      return;
    }
    try (channel) {
      channel.force(true);
    }
  }

  private void read(List<? super byte[]> records) throws IOException {
    long size = channel.size();
    var head = ByteBuffer.allocate(HEAD_BYTES);
    while (end().position() + HEAD_BYTES < size) {
      long position = end().position();
      readFully(head.clear(), position);
      int length = head.getInt(0);
      if (length < 1 || length > size - position - HEAD_BYTES) {
        return;
      }
      byte[] record = new byte[length];
      readFully(ByteBuffer.wrap(record), position + HEAD_BYTES);
      int checksum = checksum(record);
      if (checksum != head.getInt(Integer.BYTES)) {
        return;
      }
      records.add(record);
      ends.add(new End(position + HEAD_BYTES + length, checksum));
    }
  }

  private void readFully(ByteBuffer buffer, long position) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, position + buffer.position()) == -1) {
        throw new EOFException("the file became shorter while it was read");
      }
    }
  }

  private End end() {
    return ends.getLast();
  }

  private int checksum(byte[] record) {
    var crc = new CRC32C();
    crc.update(ByteBuffer.allocate(Integer.BYTES).putInt(end().checksum()).flip());
    crc.update(record);
    return (int) crc.getValue();
  }

  /// Writes records, which [#force()] makes durable.
  void append(List<byte[]> records) throws IOException {
    dirty = true;
    long start = end().position();
    int length = records.stream().mapToInt(record -> HEAD_BYTES + record.length).sum();
    var buffer = ByteBuffer.allocate(length);
    for (byte[] record : records) {
      int checksum = checksum(record);
      buffer.putInt(record.length).putInt(checksum).put(record);
      ends.add(new End(start + buffer.position(), checksum));
    }
    buffer.flip();
    while (buffer.hasRemaining()) {
      var _ = channel.write(buffer, start + buffer.position());
    }
  }

  /// Keeps only the first records.
  void truncate(int size) throws IOException {
    dirty = true;
    ends.subList(size + 1, ends.size()).clear();
    channel.truncate(end().position());
  }

  /// Returns when everything is on the disk.
  void force() throws IOException {
    if (dirty) {
      channel.force(true);
      dirty = false;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
