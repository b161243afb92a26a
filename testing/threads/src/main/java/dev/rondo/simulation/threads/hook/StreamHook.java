package dev.rondo.simulation.threads.hook;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.DSYNC;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.SYNC;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.SyncFailedException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.OpenOption;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What rewritten code calls for the streams of files: one that a simulated thread has opened is a
/// channel of its host's disk. Its descriptor has a number that no file of the computer has.
///
/// Any thread.
public final class StreamHook {

  /// The number of each descriptor on a disk.
  private static final int ON_DISK = 1 << 30;

  private static final int CLOSED = -1;

  /// Modes of a `RandomAccessFile`, see there.
  private static final int RDWR = 2;

  private static final int MODE_SYNC = 4;
  private static final int MODE_DSYNC = 8;

  private static final int BYTE = 0xff;

  private static final VarHandle NUMBER;

  /// The streams that use a descriptor: the one that has opened it, the file, and others.
  private static final VarHandle STREAMS;

  private static final MethodHandle ATTACH;

  static {
    try {
      MethodHandles.Lookup hidden =
          MethodHandles.privateLookupIn(FileDescriptor.class, MethodHandles.lookup());
      NUMBER = hidden.findVarHandle(FileDescriptor.class, "fd", int.class);
      STREAMS = hidden.findVarHandle(FileDescriptor.class, "otherParents", List.class);
      ATTACH =
          hidden.findVirtual(
              FileDescriptor.class, "attach", MethodType.methodType(void.class, Closeable.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// The file of a descriptor, which keeps it as one more stream that uses the file.
  private record Open(FileChannel channel) implements Closeable {
    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  @FunctionalInterface
  private interface Io<T extends @Nullable Object> {
    T run() throws IOException;
  }

  private StreamHook() {}

  /// Refuses to wait for the input of the JVM, which would block all of the world.
  ///
  /// @param stream that is about to be read
  /// @throws IOException if the stream is closed
  /// @throws UnsupportedOperationException if the caller is simulated; its run fails
  public static void reading(FileInputStream stream) throws IOException {
    Program own = Hook.current();
    if (own != null && stream.getFD().equals(FileDescriptor.in)) {
      throw own.refused("System.in");
    }
  }

  // Opening. Each returns false if the JDK is to open the file.

  /// Opens a `FileInputStream`.
  public static boolean open(FileDescriptor descriptor, String name) throws FileNotFoundException {
    return open(descriptor, name, EnumSet.of(READ));
  }

  /// Opens a `FileOutputStream`.
  public static boolean open(FileDescriptor descriptor, String name, boolean append)
      throws FileNotFoundException {
    return open(descriptor, name, EnumSet.of(CREATE, WRITE, append ? APPEND : TRUNCATE_EXISTING));
  }

  /// Opens a `RandomAccessFile`.
  ///
  /// @param mode its bits
  public static boolean open(FileDescriptor descriptor, String name, int mode)
      throws FileNotFoundException {
    var options = EnumSet.of(READ);
    if ((mode & RDWR) != 0) {
      options.add(CREATE);
      options.add(WRITE);
    }
    if ((mode & MODE_SYNC) != 0) {
      options.add(SYNC);
    }
    if ((mode & MODE_DSYNC) != 0) {
      options.add(DSYNC);
    }
    return open(descriptor, name, options);
  }

  private static boolean open(
      FileDescriptor descriptor, String name, Set<? extends OpenOption> options)
      throws FileNotFoundException {
    Program own = Hook.current();
    if (own == null || FileHook.isDevice(name)) {
      return false;
    }
    if (ComputerFiles.contain(name)) {
      if (options.contains(WRITE)) {
        throw new FileNotFoundException(
            name + " (Read-only: the class path and the JDK are those of the computer)");
      }
      own.read("a file of the computer = ".concat(name));
      return false;
    }
    FileChannel channel;
    try {
      channel = uninterrupted(() -> FileHook.open(own, name, options));
    } catch (IOException e) {
      var failure = new FileNotFoundException(name + " (" + FileHook.reason(e) + ")");
      failure.initCause(e);
      throw failure;
    }
    try {
      ATTACH.invokeExact(descriptor, (Closeable) new Open(channel));
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    NUMBER.set(descriptor, ON_DISK);
    return true;
  }

  // Open files.

  /// {@return whether a file is on a disk}
  public static boolean isOnDisk(FileDescriptor descriptor) {
    return (int) NUMBER.get(descriptor) == ON_DISK;
  }

  /// {@return whether a file is on a disk}
  public static boolean isOnDisk(RandomAccessFile file) throws IOException {
    return isOnDisk(file.getFD());
  }

  private static FileChannel of(FileDescriptor descriptor) throws IOException {
    List<?> streams = (List<?>) STREAMS.get(descriptor);
    if (!isOnDisk(descriptor) || !(streams.get(1) instanceof Open open)) {
      throw new IOException("Stream Closed");
    }
    return open.channel;
  }

  /// An interrupt closes a channel, and nothing else.
  private static <T extends @Nullable Object> T uninterrupted(Io<T> operation) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      return operation.run();
    } catch (NonWritableChannelException e) {
      throw new IOException("Bad file descriptor", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// {@return the channel of a stream, which has the same position}
  public static FileChannel channel(FileDescriptor descriptor) throws IOException {
    return of(descriptor);
  }

  /// {@return the next byte; -1 at the end}
  public static int read(FileDescriptor descriptor) throws IOException {
    byte[] one = new byte[1];
    return read(descriptor, one) < 0 ? -1 : one[0] & BYTE;
  }

  /// {@return how many bytes were read; -1 at the end}
  public static int read(FileDescriptor descriptor, byte[] into) throws IOException {
    return read(descriptor, into, 0, into.length);
  }

  /// {@return how many bytes were read; -1 at the end}
  public static int read(FileDescriptor descriptor, byte[] into, int offset, int length)
      throws IOException {
    var buffer = ByteBuffer.wrap(into, offset, length);
    return length == 0 ? 0 : uninterrupted(() -> of(descriptor).read(buffer));
  }

  /// {@return the rest of a line, as `RandomAccessFile.readLine()` does; null at the end}
  public static @Nullable String readLine(FileDescriptor descriptor) throws IOException {
    var line = new StringBuilder();
    int next = read(descriptor);
    if (next < 0) {
      return null;
    }
    while (next >= 0 && next != '\n' && next != '\r') {
      line.append((char) next);
      next = read(descriptor);
    }
    if (next == '\r') {
      long after = position(descriptor);
      if (read(descriptor) != '\n') {
        seek(descriptor, after);
      }
    }
    return line.toString();
  }

  /// Writes a byte.
  public static void write(FileDescriptor descriptor, int value) throws IOException {
    write(descriptor, new byte[] {(byte) value});
  }

  /// Writes bytes.
  public static void write(FileDescriptor descriptor, byte[] from) throws IOException {
    write(descriptor, from, 0, from.length);
  }

  /// Writes bytes.
  public static void write(FileDescriptor descriptor, byte[] from, int offset, int length)
      throws IOException {
    var buffer = ByteBuffer.wrap(from, offset, length);
    Void _ =
        uninterrupted(() -> {
          while (buffer.hasRemaining()) {
            int _ = of(descriptor).write(buffer);
          }
          return null;
        });
  }

  /// {@return whether it is no directory}
  public static boolean isRegular(FileDescriptor descriptor) {
    return true; // a directory is not opened
  }

  /// {@return the size of the file}
  public static long length(FileDescriptor descriptor) throws IOException {
    return of(descriptor).size();
  }

  /// {@return where the next byte is}
  public static long position(FileDescriptor descriptor) throws IOException {
    return of(descriptor).position();
  }

  /// {@return where the next byte is}
  public static long position(RandomAccessFile file) throws IOException {
    return position(file.getFD());
  }

  /// {@return how many bytes were left out}
  public static long skip(FileDescriptor descriptor, long count) throws IOException {
    seek(descriptor, position(descriptor) + count);
    return count;
  }

  /// {@return how many bytes are left}
  public static int available(FileDescriptor descriptor) throws IOException {
    long left = length(descriptor) - position(descriptor);
    return Math.clamp(left, 0, Integer.MAX_VALUE);
  }

  /// Moves to a position.
  ///
  /// @throws IOException if it is negative
  public static void seek(FileDescriptor descriptor, long position) throws IOException {
    if (position < 0) {
      throw new IOException("Negative seek offset");
    }
    FileChannel _ = of(descriptor).position(position);
  }

  /// Makes the file shorter, or longer by zeros.
  public static void setLength(FileDescriptor descriptor, long length) throws IOException {
    FileChannel channel = of(descriptor);
    Void _ =
        uninterrupted(() -> {
          if (length < channel.size()) {
            FileChannel _ = channel.truncate(length);
          } else if (length > channel.size()) {
            int _ = channel.write(ByteBuffer.allocate(1), length - 1);
          }
          return null;
        });
  }

  /// Forces what was written.
  ///
  /// @throws SyncFailedException if the disk fails
  public static void sync(FileDescriptor descriptor) throws SyncFailedException {
    try {
      Void _ =
          uninterrupted(() -> {
            of(descriptor).force(true);
            return null;
          });
    } catch (IOException e) {
      var failure = new SyncFailedException("sync failed");
      failure.initCause(e);
      throw failure;
    }
  }

  /// Closes the file.
  public static void close(FileDescriptor descriptor) throws IOException {
    FileChannel channel = of(descriptor);
    NUMBER.set(descriptor, CLOSED);
    channel.close();
  }
}
