package dev.rondo.simulation.internal.disk;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import org.jspecify.annotations.Nullable;

/// A path of Jimfs, of our file system.
final class DiskPath implements Path {

  private final DiskFileSystem fileSystem;
  private final Path inner;

  DiskPath(DiskFileSystem fileSystem, Path inner) {
    this.fileSystem = fileSystem;
    this.inner = inner;
  }

  Path inner() {
    return inner;
  }

  private DiskPath wrap(Path path) {
    return new DiskPath(fileSystem, path);
  }

  private @Nullable DiskPath wrapNullable(@Nullable Path path) {
    return path == null ? null : wrap(path);
  }

  private Path unwrap(Path path) {
    if (path instanceof DiskPath of && of.fileSystem == fileSystem) {
      return of.inner;
    }
    throw new ProviderMismatchException(
        "the path is of another file system: path=%s, fileSystem=%s".formatted(path, fileSystem));
  }

  private boolean isOurs(Path path) {
    return path instanceof DiskPath of && of.fileSystem == fileSystem;
  }

  @Override
  public FileSystem getFileSystem() {
    return fileSystem;
  }

  @Override
  public boolean isAbsolute() {
    return inner.isAbsolute();
  }

  @Override
  public @Nullable Path getRoot() {
    return wrapNullable(inner.getRoot());
  }

  @Override
  public @Nullable Path getFileName() {
    return wrapNullable(inner.getFileName());
  }

  @Override
  public @Nullable Path getParent() {
    return wrapNullable(inner.getParent());
  }

  @Override
  public int getNameCount() {
    return inner.getNameCount();
  }

  @Override
  public Path getName(int index) {
    return wrap(inner.getName(index));
  }

  @Override
  public Path subpath(int beginIndex, int endIndex) {
    return wrap(inner.subpath(beginIndex, endIndex));
  }

  @Override
  public boolean startsWith(Path other) {
    return isOurs(other) && inner.startsWith(unwrap(other));
  }

  @Override
  public boolean endsWith(Path other) {
    return isOurs(other) && inner.endsWith(unwrap(other));
  }

  @Override
  public Path normalize() {
    return wrap(inner.normalize());
  }

  @Override
  public Path resolve(Path other) {
    return wrap(inner.resolve(unwrap(other)));
  }

  @Override
  public Path relativize(Path other) {
    return wrap(inner.relativize(unwrap(other)));
  }

  @Override
  public URI toUri() {
    try {
      return new URI(DiskProvider.SCHEME, null, inner.toAbsolutePath().toString(), null);
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public Path toAbsolutePath() {
    return wrap(inner.toAbsolutePath());
  }

  @Override
  public Path toRealPath(LinkOption... options) throws IOException {
    return wrap(inner.toRealPath(options));
  }

  @Override
  public WatchKey register(
      WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
    throw new ProviderMismatchException("a simulated disk has no watches: path=" + this);
  }

  @Override
  public int compareTo(Path other) {
    return inner.compareTo(unwrap(other));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DiskPath path
        && path.fileSystem == fileSystem
        && path.inner.equals(inner);
  }

  @Override
  public int hashCode() {
    return inner.toString().hashCode();
  }

  @Override
  public String toString() {
    return inner.toString();
  }
}
