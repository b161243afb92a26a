package dev.rondo.cluster.internal.local;

import static java.util.Objects.requireNonNull;

import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.internal.engine.Saved;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The agreements of a node that is alone, in a file: the name of its owner, a state, and the
/// commands since. A record has its length, a checksum of the length and one of its content; what
/// was written together is one record.
///
/// A record is forced to the disk before its commands are applied. The last record may be there in
/// part after a power failure: it was never confirmed, and is cut off. Damage anywhere else is an
/// error.
///
/// Confined to one thread at a time.
public final class AgreedFile implements AutoCloseable {

  private static final byte OWNER = 1;
  private static final byte STATE = 2;
  private static final byte COMMANDS = 3;

  private static final int HEADER_BYTES = 3 * Integer.BYTES;

  /// The node writes its state anew when the commands exceed this and the size of the last state.
  private static final int MOST_COMMAND_BYTES = 1 << 20;

  /// The folders that are open in this program: to close a second channel would unlock them.
  private static final Set<Path> IN_USE = ConcurrentHashMap.newKeySet();

  private final Path folder;
  private final Path used;
  private final byte[] owner;

  /// Locked while this program has the folder. Null before it is opened.
  private @Nullable FileChannel lock;

  /// An interrupt closes a channel, and no such file. Null before it is opened.
  private @Nullable RandomAccessFile file;

  private long stateBytes;
  private long commandBytes;

  private AgreedFile(Path folder, Path used, String owner) {
    this.folder = folder;
    this.used = used;
    this.owner = owner.getBytes(StandardCharsets.UTF_8);
  }

  /// Opens the file of a folder, and applies what it has.
  ///
  /// @param owner whose it is
  /// @throws IOException if it cannot be read, is damaged, is another's, or is in use
  static AgreedFile open(Path folder, String owner, Engine.Machine machine) throws IOException {
    make(folder);
    var opened = new AgreedFile(folder, folder.toRealPath(), owner);
    if (!IN_USE.add(opened.used)) {
      throw opened.inUse();
    }
    boolean isOpen = false;
    try {
      opened.lock();
      if (Files.exists(opened.path())) {
        opened.read(machine);
      } else {
        opened.replace(null);
      }
      isOpen = true;
      return opened;
    } finally {
      if (!isOpen) {
        opened.close();
      }
    }
  }

  /// Makes a folder, and has its name be on the disk.
  private static void make(Path folder) throws IOException {
    Path above = folder.toAbsolutePath().getParent();
    if (above == null || Files.exists(folder)) {
      return;
    }
    make(above);
    Files.createDirectories(folder);
    force(above);
  }

  private void lock() throws IOException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    lock = channel;
    try {
      if (channel.tryLock() == null) {
        throw inUse();
      }
    } catch (OverlappingFileLockException e) {
      throw inUse(); // by another class loader of this program
    }
  }

  private IOException inUse() {
    return new IOException("another node has " + folder);
  }

  private Path path() {
    return folder.resolve("agreed");
  }

  // Reading.

  private void read(Engine.Machine machine) throws IOException {
    var opened = new RandomAccessFile(path().toFile(), "rw");
    file = opened;
    long end = 0;
    boolean isOwned = false;
    for (byte @Nullable [] record;
        (record = record(opened, end)) != null;
        end = opened.getFilePointer()) {
      apply(record, machine);
      isOwned = true;
    }
    if (!isOwned) {
      throw new IOException(path() + " has no beginning");
    }
    if (opened.length() > end) {
      opened.setLength(end);
      opened.getFD().sync();
    }
  }

  /// Returns the content of the record at a position; null if no whole one is there.
  private byte @Nullable [] record(RandomAccessFile from, long at) throws IOException {
    long left = from.length() - at;
    from.seek(at);
    if (left < HEADER_BYTES) {
      return null;
    }
    var header = new byte[HEADER_BYTES];
    from.readFully(header);
    ByteBuffer numbers = ByteBuffer.wrap(header);
    int length = numbers.getInt();
    if (numbers.getInt() != checksum(header, Integer.BYTES)) {
      requireZeros(from, at, at + 2 * Integer.BYTES);
      return null;
    }
    if (length > left - HEADER_BYTES) {
      return null;
    }
    byte[] content = new byte[length];
    from.readFully(content);
    if (numbers.getInt() != checksum(content, length)) {
      if (length < left - HEADER_BYTES) {
        throw damaged(at);
      }
      return null;
    }
    return content;
  }

  /// A file may have grown before a record was written to it, or the rest of its header. A record
  /// that was written has its kind there, which is not zero.
  private void requireZeros(RandomAccessFile from, long at, long start) throws IOException {
    from.seek(start);
    var rest = new byte[1 << 13];
    for (int read; (read = from.read(rest)) > 0; ) {
      for (int i = 0; i < read; i++) {
        if (rest[i] != 0) {
          throw damaged(at);
        }
      }
    }
  }

  private IOException damaged(long at) {
    return new IOException("%s is damaged at byte %d".formatted(path(), at));
  }

  private void apply(byte[] record, Engine.Machine machine) throws IOException {
    var in = new DataInputStream(new ByteArrayInputStream(record));
    switch (in.readByte()) {
      case OWNER -> {
        String found = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        String own = new String(owner, StandardCharsets.UTF_8);
        if (!found.equals(own)) {
          throw new IOException("%s is that of %s, and not of %s".formatted(path(), found, own));
        }
      }
      case STATE -> {
        byte[] state = in.readAllBytes();
        stateBytes = state.length;
        machine.restore(state);
      }
      case COMMANDS -> {
        commandBytes += record.length;
        while (in.available() > 0) {
          machine.apply(requireNonNull(Saved.read(in)));
        }
      }
      default -> throw new IOException(path() + " has a record of a later version");
    }
  }

  // Writing.

  private static int checksum(byte[] bytes, int length) {
    var sum = new CRC32C();
    sum.update(bytes, 0, length);
    return (int) sum.getValue();
  }

  private static byte[] record(byte kind, byte[] content) {
    ByteBuffer record = ByteBuffer.allocate(HEADER_BYTES + 1 + content.length);
    record.position(HEADER_BYTES).put(kind).put(content);
    int length = 1 + content.length;
    byte[] bytes = record.array();
    record.putInt(0, length);
    record.putInt(Integer.BYTES, checksum(bytes, Integer.BYTES));
    var sum = new CRC32C();
    sum.update(bytes, HEADER_BYTES, length);
    record.putInt(2 * Integer.BYTES, (int) sum.getValue());
    return bytes;
  }

  /// Writes commands, and returns when they are on the disk.
  void append(List<byte[]> commands) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    for (byte[] each : commands) {
      Saved.write(out, each);
    }
    RandomAccessFile opened = requireNonNull(file);
    opened.write(record(COMMANDS, bytes.toByteArray()));
    opened.getFD().sync();
    commandBytes += bytes.size();
  }

  /// Whether a state would be shorter than the commands.
  boolean isLong() {
    return commandBytes > Math.max(MOST_COMMAND_BYTES, stateBytes);
  }

  /// Has a state take the place of what the file has.
  void replace(byte @Nullable [] state) throws IOException {
    Path next = folder.resolve("agreed.new");
    var made = new RandomAccessFile(next.toFile(), "rw");
    boolean isDone = false;
    try {
      made.setLength(0);
      made.write(record(OWNER, owner));
      if (state != null) {
        made.write(record(STATE, state));
      }
      made.getFD().sync();
      var _ =
          Files.move(
              next, path(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      force(folder);
      isDone = true;
    } finally {
      if (!isDone) {
        made.close();
      }
    }
    if (file != null) {
      file.close();
    }
    file = made;
    stateBytes = state == null ? 0 : state.length;
    commandBytes = 0;
  }

  /// Has the names in a folder be on the disk.
  private static void force(Path folder) throws IOException {
    if (!System.getProperty("os.name").startsWith("Windows")) { // which cannot, and need not
      try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  @Override
  public void close() throws IOException {
    try (FileChannel _ = lock) {
      if (file != null) {
        file.close();
      }
    } finally {
      var _ = IN_USE.remove(used);
    }
  }
}
