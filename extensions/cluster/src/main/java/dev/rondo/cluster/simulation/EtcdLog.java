package dev.rondo.cluster.simulation;

import dev.rondo.cluster.internal.etcd.EtcdMessage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/// The transactions of an etcd on a disk, each forced before it is answered. What is there in part
/// after a power failure was never answered, and is cut off.
///
/// Confined to one thread.
final class EtcdLog implements AutoCloseable {

  private static final int HEADER_BYTES = 2 * Integer.BYTES;

  /// Takes in what the log has.
  interface Reader {
    void read(EtcdMessage record) throws IOException;
  }

  /// Puts what was written on the disk.
  interface Force {
    void force(FileChannel written) throws IOException;
  }

  private final FileChannel channel;
  private final Force force;

  private EtcdLog(FileChannel channel, Force force) {
    this.channel = channel;
    this.force = force;
  }

  static EtcdLog open(Path folder, Reader reader, Force force) throws IOException {
    Files.createDirectories(folder);
    for (Path each = folder; each.getParent() != null; each = each.getParent()) {
      force(each.getParent());
    }
    FileChannel channel =
        FileChannel.open(
            folder.resolve("log"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    force(folder);
    ByteBuffer all = ByteBuffer.allocate((int) channel.size());
    while (all.hasRemaining() && channel.read(all) >= 0) {
      // It is read.
    }
    all.flip();
    int end = 0;
    while (all.remaining() >= HEADER_BYTES) {
      int length = all.getInt();
      int sum = all.getInt();
      if (length <= 0 || length > all.remaining()) {
        break;
      }
      var record = new byte[length];
      all.get(record);
      if (sum != checksum(record)) {
        break;
      }
      reader.read(EtcdMessage.decoded(record));
      end = all.position();
    }
    channel.truncate(end);
    channel.position(end);
    return new EtcdLog(channel, force);
  }

  private static void force(Path folder) throws IOException {
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    }
  }

  private static int checksum(byte[] bytes) {
    var sum = new CRC32C();
    sum.update(bytes);
    return (int) sum.getValue();
  }

  /// Writes a record, and returns when it is on the disk.
  void append(EtcdMessage record) throws IOException {
    byte[] bytes = record.encoded();
    ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES + bytes.length);
    out.putInt(bytes.length).putInt(checksum(bytes)).put(bytes).flip();
    while (out.hasRemaining()) {
      var _ = channel.write(out);
    }
    force.force(channel);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
