package dev.rondo.simulation.internal.disk;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/// Opens files and changes names: each change goes to Jimfs and is noted as not forced.
final class DiskProvider extends FileSystemProvider {

  static final String SCHEME = "simulated";

  /// Of the computer: read before a program has properties of its own.
  static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

  private final DiskFileSystem fileSystem;
  private final Disk disk;

  DiskProvider(DiskFileSystem fileSystem, Disk disk) {
    this.fileSystem = fileSystem;
    this.disk = disk;
  }

  Path inner(Path path) {
    if (path instanceof DiskPath of && of.getFileSystem() == fileSystem) {
      return of.inner();
    }
    throw new ProviderMismatchException(
        "the path is of another file system: path=%s, fileSystem=%s".formatted(path, fileSystem));
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> env) {
    throw new UnsupportedOperationException("a simulated disk has no URI: uri=" + uri);
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    throw new UnsupportedOperationException("a simulated disk has no URI: uri=" + uri);
  }

  @Override
  public Path getPath(URI uri) {
    throw new UnsupportedOperationException("a simulated disk has no URI: uri=" + uri);
  }

  // Files.

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return newFileChannel(path, options, attributes);
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    OpenMode mode = OpenMode.of(options);
    Path given = inner(path);
    Path file = mode.follow() ? FileTree.follow(given) : given;
    try {
      return open(file, mode, attributes);
    } catch (NoSuchFileException e) {
      throw FileTree.notADirectory(file, new NoSuchFileException(given.toString()));
    }
  }

  private FileChannel open(Path file, OpenMode mode, FileAttribute<?>... attributes)
      throws IOException {
    Node node = disk.tree().find(file);
    if (node != null && mode.createNew()) {
      throw new FileAlreadyExistsException(file.toString());
    }
    return switch (node) {
      case null -> create(file, mode, attributes);
      case FileNode found -> {
        var channel = channel(file, found, mode);
        if (mode.truncate()) {
          channel.truncate(0);
        }
        yield channel;
      }
      case DirectoryNode directory -> {
        if (mode.write()) {
          throw new FileSystemException(file.toString(), null, "Is a directory");
        }
        yield new DiskChannel(disk, new OpenNode.OfDirectory(disk, directory, file), mode);
      }
      case LinkNode _ ->
          throw new IOException("Too many levels of symbolic links (NOFOLLOW_LINKS specified)");
    };
  }

  private FileChannel create(Path file, OpenMode mode, FileAttribute<?>... attributes)
      throws IOException {
    if (!mode.creates()) {
      throw new NoSuchFileException(file.toString());
    }
    disk.change();
    Files.createFile(file, attributes);
    return channel(file, disk.tree().created(file), mode);
  }

  private DiskChannel channel(Path file, FileNode node, OpenMode mode) throws IOException {
    FileChannel inner = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    var channel = new DiskChannel(disk, new OpenNode.OfFile(disk, node, file, inner), mode);
    if (mode.deleteOnClose()) {
      disk.tree().delete(file);
    }
    return channel;
  }

  @Override
  public AsynchronousFileChannel newAsynchronousFileChannel(
      Path path,
      Set<? extends OpenOption> options,
      @Nullable ExecutorService executor,
      FileAttribute<?>... attributes)
      throws IOException {
    if (options.contains(StandardOpenOption.APPEND)) {
      throw new UnsupportedOperationException("APPEND not allowed");
    }
    return new DiskAsyncChannel(newFileChannel(path, options, attributes), executor);
  }

  // Names.

  @Override
  public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
    changing(directory, path -> disk.tree().createDirectory(path, attributes));
  }

  @Override
  public void createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes)
      throws IOException {
    changing(link, path -> disk.tree().createSymbolicLink(path, inner(target), attributes));
  }

  @Override
  public void createLink(Path link, Path existing) throws IOException {
    changing(link, path -> disk.tree().createLink(path, inner(existing)));
  }

  @Override
  public Path readSymbolicLink(Path link) throws IOException {
    return new DiskPath(fileSystem, Files.readSymbolicLink(inner(link)));
  }

  @Override
  public void delete(Path path) throws IOException {
    changing(path, disk.tree()::delete);
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    changing(source, path -> disk.tree().move(path, inner(target), options));
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) throws IOException {
    changing(
        source,
        path -> {
          Path copy = inner(target);
          requireCopyable(path, copy);
          if (disk.tree().copy(path, copy, options)
              && disk.tree().find(copy) instanceof FileNode file) {
            file.written(0, Files.readAllBytes(copy));
          }
        });
  }

  private void requireCopyable(Path source, Path target) throws IOException {
    if (Files.isRegularFile(source)) {
      String failure =
          disk.faults().hit(Operation.READ, source) || disk.faults().hit(Operation.WRITE, target)
              ? Faults.BROKEN
              : disk.free() < Files.size(source) ? Disk.FULL : null;
      if (failure != null) {
        throw new FileSystemException(source.toString(), target.toString(), failure);
      }
    }
  }

  @FunctionalInterface
  private interface Change {
    void make(Path path) throws IOException;
  }

  private void changing(Path given, Change change) throws IOException {
    Path path = inner(given);
    disk.change();
    try {
      change.make(path);
    } catch (NoSuchFileException e) {
      throw FileTree.notADirectory(path, e);
    }
  }

  @Override
  @SuppressWarnings("StreamResourceLeak") // the stream that is returned closes it
  public DirectoryStream<Path> newDirectoryStream(
      Path directory, DirectoryStream.Filter<? super Path> filter) throws IOException {
    DirectoryStream<Path> entries =
        Files.newDirectoryStream(
            inner(directory), entry -> filter.accept(new DiskPath(fileSystem, entry)));
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        Iterator<Path> iterator = entries.iterator();
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            return iterator.hasNext();
          }

          @Override
          public Path next() {
            return new DiskPath(fileSystem, iterator.next());
          }
        };
      }

      @Override
      public void close() throws IOException {
        entries.close();
      }
    };
  }

  // Attributes.

  @Override
  public boolean isSameFile(Path path, Path other) throws IOException {
    return path.equals(other)
        || (other instanceof DiskPath of
            && of.getFileSystem() == fileSystem
            && key(inner(path)).equals(key(of.inner())));
  }

  private static Object key(Path path) throws IOException {
    return Objects.requireNonNull(Files.readAttributes(path, BasicFileAttributes.class).fileKey());
  }

  @Override
  public boolean isHidden(Path path) {
    Path name = inner(path).getFileName();
    return name != null && name.toString().startsWith(".");
  }

  @Override
  public FileStore getFileStore(Path path) throws IOException {
    checkAccess(path);
    return fileSystem.store();
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    Path inner = inner(path);
    inner.getFileSystem().provider().checkAccess(inner, modes);
  }

  @Override
  public <V extends FileAttributeView> @Nullable V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return Files.getFileAttributeView(inner(path), type, options);
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    return Files.readAttributes(inner(path), type, options);
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
      throws IOException {
    return Files.readAttributes(inner(path), attributes, options);
  }

  @Override
  public void setAttribute(Path path, String attribute, Object value, LinkOption... options)
      throws IOException {
    Files.setAttribute(inner(path), attribute, value, options);
  }
}
