package dev.rondo.simulation.internal.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;

/// What one opening of a file or directory refers to.
sealed interface OpenNode {

  int read(ByteBuffer dst, long at) throws IOException;

  int write(ByteBuffer src, long at, boolean sync) throws IOException;

  long size() throws IOException;

  void truncate(long size, boolean sync) throws IOException;

  void force() throws IOException;

  FileLock lock(FileChannel channel, long at, long size, boolean shared);

  void close(FileChannel channel) throws IOException;

  /// A file.
  final class OfFile implements OpenNode {

    private final Disk disk;
    private final FileNode file;

    /// It was opened by, for faults.
    private final Path path;

    /// Jimfs's channel, for all operations.
    private final FileChannel cache;

    /// How many failures to write back have been reported here.
    private int errorsSeen;

    OfFile(Disk disk, FileNode file, Path path, FileChannel cache) {
      this.disk = disk;
      this.file = file;
      this.path = path;
      this.cache = cache;
      errorsSeen = file.errors();
    }

    @Override
    public int read(ByteBuffer dst, long at) throws IOException {
      disk.check(Operation.READ, path);
      return dst.hasRemaining() ? cache.read(dst, at) : 0;
    }

    @Override
    public int write(ByteBuffer src, long at, boolean sync) throws IOException {
      disk.check(Operation.WRITE, path);
      var bytes = new byte[disk.room(path, cache.size(), at, src.remaining())];
      src.get(bytes);
      var all = ByteBuffer.wrap(bytes);
      while (all.hasRemaining()) {
        cache.write(all, at + all.position());
      }
      file.written(at, bytes);
      disk.tellWrite(path, at, bytes);
      if (sync) {
        force();
      }
      return bytes.length;
    }

    @Override
    public long size() throws IOException {
      return cache.size();
    }

    @Override
    public void truncate(long size, boolean sync) throws IOException {
      if (size < cache.size()) {
        disk.check(Operation.WRITE, path);
        cache.truncate(size);
        file.truncated(size);
        disk.tell(() -> "truncates %s to %,d B".formatted(path, size));
        if (sync) {
          force();
        }
      }
    }

    @Override
    public void force() throws IOException {
      disk.force(file, path);
      if (errorsSeen != file.errors()) {
        errorsSeen = file.errors();
        throw Faults.failure();
      }
    }

    @Override
    public FileLock lock(FileChannel channel, long at, long size, boolean shared) {
      return file.locks().lock(channel, at, size, shared);
    }

    @Override
    public void close(FileChannel channel) throws IOException {
      file.locks().release(channel);
      cache.close();
    }
  }

  /// A directory can be opened to force it.
  ///
  /// @param path it was opened by, for faults
  record OfDirectory(Disk disk, DirectoryNode directory, Path path) implements OpenNode {

    private static final int SIZE = 4096;

    @Override
    public int read(ByteBuffer dst, long at) throws IOException {
      throw new IOException("Is a directory");
    }

    @Override
    public int write(ByteBuffer src, long at, boolean sync) {
      throw new AssertionError("a directory cannot be opened for writing");
    }

    @Override
    public long size() {
      return SIZE;
    }

    @Override
    public void truncate(long size, boolean sync) {
      throw new AssertionError("a directory cannot be opened for writing");
    }

    @Override
    public void force() throws IOException {
      disk.force(directory, path);
    }

    @Override
    public FileLock lock(FileChannel channel, long at, long size, boolean shared) {
      throw new UnsupportedOperationException("a directory cannot be locked");
    }

    @Override
    public void close(FileChannel channel) {}
  }
}
