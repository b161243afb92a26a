package dev.rondo.examples.durablestore;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Keys and values: in memory, in a snapshot of an earlier moment, and in a log of later puts.
/// Snapshot and log are files of records with a length and a checksum in front of each record.
///
/// - A value is acknowledged when its record was forced to the disk.
/// - The last record may be incomplete. Its checksum then differs, and it was never acknowledged.
/// - A new snapshot takes the place of the old one in one step, and names its log by a number. The
///   old log is deleted when the disk has the new name.
/// - An opened store makes a new snapshot of the values that it reads. These need not all be on the
///   disk: a killed process may not have forced them, or the force may have failed. After a failed
///   force, Linux shows the written data and never tries to write it again.
///
/// An operation waits for the disk within its turn of the loop, so that no task sees half of a
/// change.
///
/// Confined to one thread.
public class DurableStore implements Closeable {

  private static final int RECORDS_OF_A_LOG = 20;

  /// The last record of a snapshot.
  private static final String END = "end";

  private static final int HEAD_BYTES = 2 * Integer.BYTES;

  private final Path folder;
  private final Map<String, String> values = new TreeMap<>();

  /// The number of the log.
  private long number;

  /// The log; null while the store is closed.
  private @Nullable FileChannel appended;

  private int records;
  private @Nullable IOException failure;

  DurableStore(Path folder) {
    this.folder = folder.toAbsolutePath();
  }

  /// Opens the store of a folder, which no other process may use meanwhile.
  ///
  /// @param folder is made if it does not exist; its parent must exist
  /// @return the store, with all acknowledged values
  public static DurableStore open(Path folder) throws IOException {
    var store = new DurableStore(folder);
    store.recover();
    return store;
  }

  final void recover() throws IOException {
    if (!Files.exists(folder)) {
      Files.createDirectory(folder);
    }
    forceNames(
        Objects.requireNonNull(folder.getParent())); // an earlier process may have died before this
    if (Files.exists(snapshot())) {
      readSnapshot();
      if (Files.exists(log())) { // if not, the power failed before the log had a record
        read(log()).forEach(this::apply);
      }
    }
    beginAgain();
  }

  private void readSnapshot() throws IOException {
    List<String> lines = read(snapshot());
    if (lines.size() < 2 || !lines.getLast().equals(END)) {
      throw new IOException("the file is damaged: " + snapshot());
    }
    number = Long.parseLong(lines.getFirst());
    lines.subList(1, lines.size() - 1).forEach(this::apply);
  }

  // The values.

  /// {@return the value of a key; null if it has none}
  public @Nullable String get(String key) {
    return values.get(key);
  }

  /// {@return the number of keys with a value}
  public int size() {
    return values.size();
  }

  /// Sets the value of a key. Returns when the value is on the disk.
  ///
  /// @param key not empty, without spaces
  /// @param value any text
  /// @throws IllegalArgumentException if the key is empty or has a space
  /// @throws IOException if the disk fails. It is then unknown whether the value was set. The store
  ///   can be read, but takes no more values until it is opened again
  public void put(String key, String value) throws IOException {
    if (key.isEmpty() || key.indexOf(' ') >= 0) {
      throw new IllegalArgumentException("a key has a letter and no space: key='" + key + "'");
    }
    if (failure != null) {
      throw new IOException("the disk has failed before: open the store again", failure);
    }
    try {
      append(key + " " + value);
      values.put(key, value);
      records++;
      if (records == RECORDS_OF_A_LOG) {
        begin();
      }
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  private void apply(String record) {
    int space = record.indexOf(' ');
    values.put(record.substring(0, space), record.substring(space + 1));
  }

  // The files.

  final Path snapshot() {
    return folder.resolve("snapshot");
  }

  final Path log() {
    return folder.resolve("log-" + number);
  }

  /// Appends a record to the log, and returns when it is on the disk.
  private void append(String record) throws IOException {
    FileChannel file = appended;
    if (file == null) {
      throw new IllegalStateException("the store is closed");
    }
    write(file, record);
    forceLog(file);
  }

  void beginAgain() throws IOException {
    begin();
  }

  /// Begins a log, with a snapshot of all values.
  private void begin() throws IOException {
    close();
    number++;
    goOn(create(log()));
    Path draft = folder.resolve("snapshot.new");
    try (FileChannel file = create(draft)) {
      write(file, String.valueOf(number));
      for (Map.Entry<String, String> each : values.entrySet()) {
        write(file, each.getKey() + " " + each.getValue());
      }
      write(file, END);
      file.force(true);
    }
    replace(draft);
    deleteOldLogs();
  }

  final void goOn(FileChannel file) {
    appended = file;
    records = 0;
  }

  private static FileChannel create(Path path) throws IOException {
    return FileChannel.open(
        path,
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.WRITE);
  }

  /// The draft becomes the snapshot. Returns when its name, and that of its log, are on the disk.
  void replace(Path draft) throws IOException {
    rename(draft, snapshot());
    forceNames(folder);
  }

  void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  void forceLog(FileChannel file) throws IOException {
    file.force(true);
  }

  /// Forces the names in a folder. Otherwise, by POSIX, a file may be on the disk without its name.
  /// On systems where a folder cannot be opened, a program cannot do this.
  void forceNames(Path of) throws IOException {
    FileChannel channel;
    try {
      channel = FileChannel.open(of, StandardOpenOption.READ);
    } catch (IOException _) {
      return;
    }
    try (channel) {
      channel.force(true);
    }
  }

  final void deleteOldLogs() throws IOException {
    try (DirectoryStream<Path> logs = Files.newDirectoryStream(folder, "log-*")) {
      for (Path each : logs) {
        if (!each.equals(log())) {
          Files.delete(each);
        }
      }
    }
  }

  // Records.

  private static void write(FileChannel file, String record) throws IOException {
    byte[] bytes = record.getBytes(StandardCharsets.UTF_8);
    ByteBuffer buffer =
        ByteBuffer.allocate(HEAD_BYTES + bytes.length)
            .putInt(bytes.length)
            .putInt(checksum(bytes))
            .put(bytes)
            .flip();
    while (buffer.hasRemaining()) {
      var _ = file.write(buffer);
    }
  }

  /// {@return the records of a file, up to the first that is not whole}
  private List<String> read(Path path) throws IOException {
    ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(path));
    List<String> read = new ArrayList<>();
    while (file.remaining() > HEAD_BYTES) {
      int length = file.getInt();
      int checksum = file.getInt();
      if (length < 1 || length > file.remaining()) {
        return read;
      }
      byte[] bytes = new byte[length];
      file.get(bytes);
      if (!isWhole(bytes, checksum)) {
        return read;
      }
      read.add(new String(bytes, StandardCharsets.UTF_8));
    }
    return read;
  }

  boolean isWhole(byte[] record, int checksum) {
    return checksum(record) == checksum;
  }

  private static int checksum(byte[] bytes) {
    var crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  /// Closes the files. All acknowledged values are on the disk.
  @Override
  public void close() throws IOException {
    FileChannel file = appended;
    appended = null;
    if (file != null) {
      file.close();
    }
  }
}
