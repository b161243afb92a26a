package dev.rondo.simulation;

import static java.util.Objects.requireNonNull;

import dev.rondo.simulation.internal.Chance;
import dev.rondo.simulation.internal.ContentDigest;
import dev.rondo.simulation.internal.disk.Disk;
import dev.rondo.simulation.internal.disk.DiskWatch;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/// The disk of a host: a file system in memory that knows what was forced. `Files`, `FileChannel`
/// and [dev.rondo.io.file.WaitForFile] work on its paths.
///
/// ```
/// var disk = new SimulatedDisk(random);
/// Path log = disk.path("/data/log");
/// ```
///
/// **What is forced.** `FileChannel.force` of a file puts its content and size on the medium; that
/// of a directory, opened for reading, puts the names in it there. A file opened with `SYNC` or
/// `DSYNC` is forced with each write. Closing a file forces nothing.
///
/// **Two ends.** [#processKilled()] closes what is open and loses nothing, because the page cache
/// survives. [#powerLost()] loses what was not forced:
/// - of the content each sector has one of the contents that it has had since it was forced last;
///   the last write to it may be there in part;
/// - a truncation, and what was written after it, may be lost; a file may be longer than its data,
///   and has zeros there;
/// - each name that was created, replaced or removed may be as it was. A rename is atomic: both
///   names are as before or as after. Changes of one name are kept in their order, those of
///   different names independently.
///
/// Permissions and times outlast both; other attributes are lost with the power.
///
/// **Threads.** Confined to one thread at a time.
///
/// **Determinism.** The same operations with the same random numbers have the same outcome.
public final class SimulatedDisk {

  private static final int SECTOR_BYTES = 512;

  private final Disk disk;

  /// Makes an empty disk with sectors of 512 bytes and no limit of its size.
  ///
  /// @param random decides what a power failure leaves, and what fails
  public SimulatedDisk(RandomGenerator random) {
    this(Chance.of(requireNonNull(random, "random is null")));
  }

  SimulatedDisk(Chance chance) {
    this(new Disk(chance, SECTOR_BYTES));
  }

  private SimulatedDisk(Disk disk) {
    this.disk = disk;
  }

  // Files.

  /// {@return the file system, with the paths and attributes of Unix; it stays the same when the
  /// power fails}
  ///
  /// There are four differences from a real one on purpose. A program may do everything, whatever
  /// the permissions are. A directory lists its entries in the order of their names. Holes take
  /// room. A mapped file is a copy of what it was; mapped files that are written, and watches, are
  /// refused with an [UnsupportedOperationException].
  FileSystem fileSystem() {
    return disk.fileSystem();
  }

  /// {@return a path of the file system} A relative one is relative to the root.
  ///
  /// @param first the path, or its beginning
  /// @param more what follows
  public Path path(String first, String... more) {
    requireNonNull(first, "first is null");
    for (String each : requireNonNull(more, "more is null")) {
      requireNonNull(each, "an element of more is null");
    }
    return disk.fileSystem().getPath(first, more);
  }

  /// {@return how many files and directories are open} For leak checks.
  public int openFiles() {
    return disk.openFiles();
  }

  /// Sets where the times of files come from; without it all are at the epoch.
  ///
  /// @param source for example the clock of the host
  /// @return this disk
  SimulatedDisk time(InstantSource source) {
    disk.time(requireNonNull(source, "source is null"));
    return this;
  }

  // Faults.

  /// Lets some operations fail with an [java.io.IOException] "Input/output error", as those of a
  /// broken medium do. Nothing is read or written by one that fails, except that a failed `force`
  /// of a file may have put some of it on the medium. The rest stays readable, but no later `force`
  /// writes it, as on Linux. Each opening of the file learns of that once.
  ///
  /// @param operation which ones
  /// @param glob of which files, by the paths they were opened with, for example `/data/*.log`
  /// @param probability of each one, from 0 to 1
  /// @return this disk
  /// @throws IllegalArgumentException if it is out of range
  public SimulatedDisk failures(DiskOperation operation, String glob, double probability) {
    requireNonNull(operation, "operation is null");
    requireNonNull(glob, "glob is null");
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException(
          "probability must be from 0 to 1: probability=" + probability);
    }
    disk.faults().chance(operation.internal(), matcher(glob), probability);
    return this;
  }

  /// Lets one operation fail, as [#failures(DiskOperation, String, double)].
  ///
  /// @param operation which ones count
  /// @param glob of which files
  /// @param nth which of them from now on, at least 1
  /// @return this disk
  /// @throws IllegalArgumentException if it is less
  public SimulatedDisk failNth(DiskOperation operation, String glob, long nth) {
    requireNonNull(operation, "operation is null");
    requireNonNull(glob, "glob is null");
    if (nth < 1) {
      throw new IllegalArgumentException("nth must be at least 1: nth=" + nth);
    }
    disk.faults().nth(operation.internal(), matcher(glob), nth);
    return this;
  }

  private PathMatcher matcher(String glob) {
    return disk.matcher(requireNonNull(glob, "glob is null"));
  }

  /// Ends all failures that were set. Their damage stays.
  ///
  /// @return this disk
  public SimulatedDisk noFailures() {
    disk.faults().clear();
    return this;
  }

  /// Limits the contents of all files, in blocks of 4,096 bytes. A write for which there is room in
  /// part is made in part; without room it fails with an [java.io.IOException] "No space left on
  /// device". Names take no room.
  ///
  /// @param bytes at least zero; more may be in use already, and stays
  /// @return this disk
  /// @throws IllegalArgumentException if it is negative
  public SimulatedDisk capacity(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("capacity must be at least 0: bytes=" + bytes);
    }
    disk.capacity(bytes);
    return this;
  }

  /// Lets each operation of [dev.rondo.io.file.WaitForFile] take virtual time; none by default.
  /// Other code cannot wait: for it operations take no time.
  ///
  /// @param least at least zero
  /// @param most at least `least`; each time is drawn between both
  /// @return this disk
  /// @throws IllegalArgumentException if one is out of range
  public SimulatedDisk latency(Duration least, Duration most) {
    requireNonNull(least, "least is null");
    requireNonNull(most, "most is null");
    if (least.isNegative() || most.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          "latency must be at least 0, and most at least least: least=%s, most=%s"
              .formatted(least, most));
    }
    disk.latency(least, most);
    return this;
  }

  // Faults that a test does not end by mistake. Each method returns what ends the fault.

  Runnable failing(DiskOperation operation, double probability) {
    return disk.faults().last(operation.internal(), probability);
  }

  Runnable fill() {
    return disk.fill();
  }

  Runnable slowDown(long mostNanos) {
    return disk.slowDown(mostNanos);
  }

  /// @param action runs before each operation that changes a file or a name; need not return
  void beforeChange(Runnable action) {
    disk.beforeChange(action);
  }

  void contents(ContentDigest digest) {
    disk.contents(digest);
  }

  void watch(DiskWatch watch) {
    disk.watch(watch);
  }

  // Ends.

  /// Puts all files and names on the medium, as `sync` does, and a kernel in the background sooner
  /// or later. Nothing else does that here, so data that is never forced takes memory twice. Does
  /// not fail.
  public void sync() {
    disk.sync();
  }

  /// Kills the process, as `kill -9` does: closes all open files and releases their locks. Nothing
  /// that was written is lost. The channels of the killed process fail with a
  /// [java.nio.channels.ClosedChannelException].
  public void processKilled() {
    disk.processKilled();
  }

  /// Has the power fail: as [#processKilled()], and unforced data is kept, lost or torn, as the
  /// random numbers decide. All that is left is on the medium.
  public void powerLost() {
    disk.powerLost();
  }

  @Override
  public String toString() {
    return "simulated disk";
  }
}
