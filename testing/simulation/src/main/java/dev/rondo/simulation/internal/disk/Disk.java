package dev.rondo.simulation.internal.disk;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Feature;
import com.google.common.jimfs.Jimfs;
import com.google.common.jimfs.PathType;
import dev.rondo.simulation.internal.Chance;
import dev.rondo.simulation.internal.ContentDigest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channel;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A disk: its files, what of them is open, its room and its faults.
public final class Disk {

  static final String FULL = "No space left on device";

  private static final int BLOCK_BYTES = 4096;
  private static final byte[] NO_CONTENT = {};

  /// Jimfs's own limit, far beyond a heap.
  private static final long CACHE_BYTES = 1L << 42;

  private final Chance chance;
  private final int sectorBytes;
  private final FileSystem cache;
  private final FileTree tree;
  private final Faults faults;
  private final DiskFileSystem fileSystem;

  /// In the order in which they were opened.
  private final Set<Channel> open = new LinkedHashSet<>();

  private InstantSource time = InstantSource.fixed(Instant.EPOCH);
  private long leastLatencyNanos;
  private long mostLatencyNanos;
  private long capacity = Long.MAX_VALUE;

  private Runnable beforeChange = () -> {};

  /// Null if nothing watches.
  private @Nullable DiskWatch watch;

  /// Receives all changes; null if no digest covers them.
  private @Nullable ContentDigest contents;

  /// How many faults that fill it are under way.
  private int fillings;

  /// What the faults that slow it down add to the latency at most.
  private long slownessNanos;

  public Disk(Chance chance, int sectorBytes) {
    this.chance = chance;
    this.sectorBytes = sectorBytes;
    cache =
        Jimfs.newFileSystem(
            Configuration.builder(PathType.unix())
                .setRoots("/")
                .setWorkingDirectory("/")
                .setAttributeViews("basic", "owner", "posix", "unix", "user")
                .setSupportedFeatures(Feature.LINKS, Feature.SYMBOLIC_LINKS, Feature.FILE_CHANNEL)
                .setBlockSize(BLOCK_BYTES)
                .setMaxSize(CACHE_BYTES)
                .setFileTimeSource(() -> FileTime.from(time.instant()))
                .build());
    tree = new FileTree(cache, this::change, this::tell);
    faults = new Faults(chance);
    fileSystem = new DiskFileSystem(this, cache);
  }

  public FileSystem fileSystem() {
    return fileSystem;
  }

  public Faults faults() {
    return faults;
  }

  /// {@return matches Jimfs's absolute paths}
  public PathMatcher matcher(String glob) {
    PathMatcher matcher = cache.getPathMatcher("glob:" + glob);
    return path -> matcher.matches(path.toAbsolutePath().normalize());
  }

  FileTree tree() {
    return tree;
  }

  // Settings.

  public void time(InstantSource source) {
    time = source;
  }

  public void latency(Duration least, Duration most) {
    leastLatencyNanos = least.toNanos();
    mostLatencyNanos = most.toNanos();
  }

  Duration nextLatency() {
    long most = mostLatencyNanos + slownessNanos;
    return Duration.ofNanos(
        leastLatencyNanos == most ? most : chance.random().nextLong(leastLatencyNanos, most + 1));
  }

  public void capacity(long bytes) {
    capacity = bytes;
  }

  long capacity() {
    return capacity;
  }

  // Room.

  /// {@return how many bytes are taken, by blocks}
  long used() {
    try {
      FileStore store = cache.getFileStores().iterator().next();
      return store.getTotalSpace() - store.getUnallocatedSpace();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long free() {
    return fillings > 0 ? 0 : Math.max(0, capacity - used());
  }

  /// {@return how many bytes can be written to a file}
  ///
  /// @throws IOException if not one
  int room(Path path, long size, long at, int count) throws IOException {
    if ((capacity == Long.MAX_VALUE && fillings == 0) || count == 0) {
      return count;
    }
    long end = blocksEnd(size) + free() / BLOCK_BYTES * BLOCK_BYTES;
    if (at >= end) {
      tell(() -> "write of " + path + " fails: " + FULL);
      throw new IOException(FULL);
    }
    return (int) Math.min(count, end - at);
  }

  private static long blocksEnd(long size) {
    return -Math.floorDiv(-size, (long) BLOCK_BYTES) * BLOCK_BYTES;
  }

  // Open files.

  void opened(Channel channel) {
    open.add(channel);
  }

  void closed(Channel channel) {
    open.remove(channel);
  }

  public int openFiles() {
    return open.size();
  }

  // Faults.

  /// Has something happen before each operation that changes a file or a name.
  ///
  /// @param action need not return
  public void beforeChange(Runnable action) {
    beforeChange = action;
  }

  void change() {
    beforeChange.run();
  }

  /// Has operations and losses reported.
  public void watch(DiskWatch added) {
    watch = added;
  }

  /// Adds all later changes to a digest.
  ///
  /// @param added the only one
  public void contents(ContentDigest added) {
    contents = added;
  }

  /// An operation was done.
  void tell(Supplier<String> what) {
    if (watch != null || contents != null) {
      tell(what.get(), NO_CONTENT);
    }
  }

  void tellWrite(Path path, long at, byte[] content) {
    if (watch != null || contents != null) {
      tell("writes %,d B to %s at %,d".formatted(content.length, path, at), content);
    }
  }

  private void tell(String what, byte[] content) {
    if (watch != null) {
      watch.done(what, content);
    }
    if (contents != null) {
      contents.add(what, content);
    }
  }

  /// @throws IOException if the operation is to fail
  void check(Operation operation, Path path) throws IOException {
    if (faults.hit(operation, path)) {
      tell(() -> operation.name().toLowerCase(Locale.ROOT) + " of " + path + " fails");
      throw Faults.failure();
    }
  }

  /// Leaves no room for more, whatever the capacity is.
  ///
  /// @return what ends that
  public Runnable fill() {
    fillings++;
    return () -> fillings--;
  }

  /// Adds to the latency of each operation what it draws uniformly.
  ///
  /// @param mostNanos at most this much
  /// @return what ends that
  public Runnable slowDown(long mostNanos) {
    slownessNanos += mostNanos;
    return () -> slownessNanos -= mostNanos;
  }

  void force(FileNode file, Path path) throws IOException {
    if (faults.hit(Operation.FORCE, path)) {
      file.forceFailed(Fate.draw(chance), sectorBytes);
      tell(() -> "force of " + path + " fails");
    } else {
      file.force();
      tell(() -> "forces " + path);
    }
  }

  void force(DirectoryNode directory, Path path) throws IOException {
    check(Operation.FORCE, path);
    tree.force(directory);
    tell(() -> "forces " + path);
  }

  // Ends.

  public void sync() {
    tree.sync();
    tell(() -> "syncs");
  }

  public void processKilled() {
    for (Channel each : List.copyOf(open)) {
      try {
        each.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  public void powerLost() {
    processKilled();
    try {
      if (watch == null) {
        losePower();
      } else {
        var losses = new Losses(tree, cache.getPath("/"));
        losePower();
        losses.tell(watch::lost);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void losePower() throws IOException {
    tree.losePower(() -> Fate.draw(chance), sectorBytes);
  }
}
