package dev.rondo.simulation.internal.disk;

import dev.rondo.io.internal.lent.InPlaceFileSystem;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// The file system of a host.
final class DiskFileSystem extends FileSystem implements InPlaceFileSystem {

  private final Disk disk;
  private final FileSystem cache;
  private final DiskProvider provider;
  private final DiskStore store;

  DiskFileSystem(Disk disk, FileSystem cache) {
    this.disk = disk;
    this.cache = cache;
    this.provider = new DiskProvider(this, disk);
    this.store = new DiskStore(disk, cache.getFileStores().iterator().next());
  }

  DiskStore store() {
    return store;
  }

  @Override
  public FileSystemProvider provider() {
    return provider;
  }

  /// As for the default file system of a JVM.
  @Override
  public void close() {
    throw new UnsupportedOperationException("the file system of a host cannot be closed");
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public String getSeparator() {
    return cache.getSeparator();
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    return List.of(getPath("/"));
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return List.of(store);
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return cache.supportedFileAttributeViews();
  }

  @Override
  public Path getPath(String first, String... more) {
    return new DiskPath(this, cache.getPath(first, more));
  }

  @Override
  public PathMatcher getPathMatcher(String syntaxAndPattern) {
    PathMatcher matcher = cache.getPathMatcher(syntaxAndPattern);
    return path -> matcher.matches(provider.inner(path));
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    return cache.getUserPrincipalLookupService();
  }

  @Override
  public Duration nextDelay(Path path) {
    return disk.nextLatency();
  }

  @Override
  public WatchService newWatchService() {
    throw new UnsupportedOperationException("a simulated disk has no watches");
  }

  @Override
  public String toString() {
    return "simulated disk";
  }
}
