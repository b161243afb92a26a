package dev.rondo.simulation.internal.disk;

import java.nio.file.FileStore;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import org.jspecify.annotations.Nullable;

/// How much room a disk has.
final class DiskStore extends FileStore {

  private final Disk disk;
  private final FileStore cache;

  DiskStore(Disk disk, FileStore cache) {
    this.disk = disk;
    this.cache = cache;
  }

  @Override
  public String name() {
    return "simulated disk";
  }

  @Override
  public String type() {
    return "simulated";
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public long getTotalSpace() {
    return disk.capacity();
  }

  @Override
  public long getUsableSpace() {
    return disk.free();
  }

  @Override
  public long getUnallocatedSpace() {
    return getUsableSpace();
  }

  @Override
  public boolean supportsFileAttributeView(Class<? extends FileAttributeView> type) {
    return cache.supportsFileAttributeView(type);
  }

  @Override
  public boolean supportsFileAttributeView(String name) {
    return cache.supportsFileAttributeView(name);
  }

  @Override
  public <V extends FileStoreAttributeView> @Nullable V getFileStoreAttributeView(Class<V> type) {
    return null;
  }

  @Override
  public Object getAttribute(String attribute) {
    return switch (attribute) {
      case "totalSpace" -> getTotalSpace();
      case "usableSpace" -> getUsableSpace();
      case "unallocatedSpace" -> getUnallocatedSpace();
      default ->
          throw new UnsupportedOperationException("no such attribute: attribute=" + attribute);
    };
  }

  @Override
  public String toString() {
    return name();
  }
}
