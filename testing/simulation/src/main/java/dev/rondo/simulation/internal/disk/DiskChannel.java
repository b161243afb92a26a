package dev.rondo.simulation.internal.disk;

import dev.rondo.simulation.internal.Buffers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/// An open file or directory. An operation is made on the calling thread and takes no time.
final class DiskChannel extends FileChannel {

  private static final int TRANSFER_BYTES = 8192;

  private final Disk disk;
  private final OpenNode node;
  private final OpenMode mode;
  private long position;

  DiskChannel(Disk disk, OpenNode node, OpenMode mode) {
    this.disk = disk;
    this.node = node;
    this.mode = mode;
    disk.opened(this);
  }

  // Bytes.

  @Override
  public int read(ByteBuffer dst) throws IOException {
    requireReadable();
    return interruptibly(() -> {
      int count = node.read(dst, position);
      position += Math.max(0, count);
      return count;
    });
  }

  @Override
  public int read(ByteBuffer dst, long at) throws IOException {
    requireNotNegative(at, "position");
    requireReadable();
    return interruptibly(() -> node.read(dst, at));
  }

  @Override
  public long read(ByteBuffer[] dsts, int offset, int length) throws IOException {
    requireReadable();
    return Buffers.scatter(dsts, offset, length, this::read, this::read);
  }

  @Override
  public int write(ByteBuffer src) throws IOException {
    requireWritable();
    disk.change();
    return interruptibly(() -> {
      long at = position();
      int count = node.write(src, at, mode.sync());
      position = at + count;
      return count;
    });
  }

  @Override
  public int write(ByteBuffer src, long at) throws IOException {
    requireNotNegative(at, "position");
    requireWritable();
    disk.change();
    return interruptibly(() -> node.write(src, mode.append() ? node.size() : at, mode.sync()));
  }

  @Override
  public long write(ByteBuffer[] srcs, int offset, int length) throws IOException {
    requireWritable();
    return Buffers.gather(srcs, offset, length, this::write);
  }

  @Override
  public long transferTo(long at, long count, WritableByteChannel target) throws IOException {
    requireOpen();
    if (!target.isOpen()) {
      throw new ClosedChannelException();
    }
    requireReadable();
    requireNotNegative(at, "position");
    requireNotNegative(count, "count");
    long total = 0;
    while (total < count) {
      var buffer = ByteBuffer.allocate((int) Math.min(TRANSFER_BYTES, count - total));
      if (read(buffer, at + total) <= 0) {
        break;
      }
      buffer.flip();
      total += target.write(buffer);
      if (buffer.hasRemaining()) {
        break;
      }
    }
    return total;
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long at, long count) throws IOException {
    requireOpen();
    if (!source.isOpen()) {
      throw new ClosedChannelException();
    }
    requireWritable();
    requireNotNegative(at, "position");
    requireNotNegative(count, "count");
    long total = 0;
    while (total < count) {
      var buffer = ByteBuffer.allocate((int) Math.min(TRANSFER_BYTES, count - total));
      if (source.read(buffer) <= 0) {
        break;
      }
      buffer.flip();
      while (buffer.hasRemaining()) {
        total += write(buffer, at + total);
      }
    }
    return total;
  }

  // Position and size.

  @Override
  public long position() throws IOException {
    requireOpen();
    return mode.append() ? node.size() : position;
  }

  @Override
  public FileChannel position(long newPosition) throws IOException {
    requireOpen();
    requireNotNegative(newPosition, "position");
    position = newPosition;
    return this;
  }

  @Override
  public long size() throws IOException {
    requireOpen();
    return node.size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    requireOpen();
    requireNotNegative(size, "size");
    requireWritable();
    disk.change();
    int _ =
        interruptibly(() -> {
          node.truncate(size, mode.sync());
          return 0;
        });
    position = Math.min(position, size);
    return this;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    requireOpen();
    disk.change();
    int _ =
        interruptibly(() -> {
          node.force();
          return 0;
        });
  }

  // The rest.

  /// A copy of the file as it is now.
  @Override
  public MappedByteBuffer map(MapMode mapping, long at, long size) throws IOException {
    requireReadable();
    requireNotNegative(at, "position");
    requireNotNegative(size, "size");
    if (mapping != MapMode.READ_ONLY && mapping != MapMode.PRIVATE) {
      throw new UnsupportedOperationException(
          "a simulated disk has no mapped files that are written: write the file instead");
    }
    if (at + size > node.size()) {
      throw new IOException("Channel not open for writing - cannot extend file to required size");
    }
    try (FileChannel copy = Copies.open()) {
      long _ = transferTo(at, size, copy);
      return copy.map(mapping, 0, size);
    }
  }

  /// Files of the computer, without names that would be drawn from the run.
  private static final class Copies {

    private static final AtomicLong MADE = new AtomicLong();

    static FileChannel open() throws IOException {
      String name = "rondo-map-" + ProcessHandle.current().pid() + "-" + MADE.incrementAndGet();
      Path copy = DiskProvider.TEMPORARY.resolve(name);
      // by the provider, since a program must not change files of the computer
      return copy.getFileSystem()
          .provider()
          .newFileChannel(
              copy,
              Set.of(
                  StandardOpenOption.CREATE_NEW,
                  StandardOpenOption.READ,
                  StandardOpenOption.WRITE,
                  StandardOpenOption.DELETE_ON_CLOSE));
    }
  }

  /// Does not wait, because nothing but this process could hold the lock.
  @Override
  public FileLock lock(long at, long size, boolean shared) throws IOException {
    return tryLock(at, size, shared);
  }

  @Override
  public FileLock tryLock(long at, long size, boolean shared) throws IOException {
    requireOpen();
    if (shared) {
      requireReadable();
    } else {
      requireWritable();
    }
    return node.lock(this, at, size, shared);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    disk.closed(this);
    node.close(this);
  }

  @FunctionalInterface
  private interface Io {
    int run() throws IOException;
  }

  /// An interrupt closes the channel.
  private int interruptibly(Io operation) throws IOException {
    boolean completed = false;
    try {
      begin();
      requireOpen();
      int result = operation.run();
      completed = true;
      return result;
    } finally {
      end(completed);
    }
  }

  private void requireOpen() throws ClosedChannelException {
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
  }

  private void requireReadable() throws ClosedChannelException {
    requireOpen();
    if (!mode.read()) {
      throw new NonReadableChannelException();
    }
  }

  private void requireWritable() throws ClosedChannelException {
    requireOpen();
    if (!mode.write()) {
      throw new NonWritableChannelException();
    }
  }

  private static void requireNotNegative(long value, String name) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " must be at least 0: " + name + "=" + value);
    }
  }
}
