package dev.rondo.io.file;

import dev.rondo.io.internal.Workers;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.CopyOption;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// Waiting for files: each operation runs on one of a few threads of this add-on, and the loop goes
/// on. Every method that takes a path is *always* a suspension point.
///
/// An operation that has begun cannot be called off: a task that is cancelled meanwhile is told at
/// its next suspension point, with the operation done and its result in hand, see [Workers#call].
/// Nothing is ever interrupted, which would close a file under its other users.
///
/// **Failures** have the types of `java.nio.file`, and say which operation on which file:
/// [java.nio.file.NoSuchFileException], [java.nio.file.AccessDeniedException],
/// [FileAlreadyExistsException], [java.nio.file.DirectoryNotEmptyException],
/// [java.nio.file.NotDirectoryException], or an [IOException] for the rest.
///
/// Confined to the scheduler's thread.
public final class WaitForFile implements AddOn {

  private static final int THREADS = 4;

  private final Scheduler scheduler;
  private final Workers workers;

  /// Files and watches: what is closed with the scheduler, at the latest.
  private final Set<AutoCloseable> open = new HashSet<>();

  private WaitForFile(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.workers = Workers.open(scheduler, "rondo-files", THREADS);
    scheduler.host().install(this);
  }

  /// {@return the add-on of a scheduler} The first call installs it. Never a suspension point.
  ///
  /// @param scheduler on its own thread
  /// @throws IllegalStateException if it has none and is closed
  public static WaitForFile on(Scheduler scheduler) {
    WaitForFile installed = scheduler.addOn(WaitForFile.class);
    return installed != null ? installed : new WaitForFile(scheduler);
  }

  /// Sets how many operations run at a time; more wait in line. Never a suspension point.
  ///
  /// @param most at least one; 4 at first
  /// @throws IllegalArgumentException if it is less; the earlier number stands
  public void maxOperations(int most) {
    workers.maxThreads(most);
  }

  /// {@return how many files, listings and watches are open} For leak checks. Never a suspension
  /// point.
  public int openCount() {
    scheduler.host().checkThread();
    return open.size();
  }

  // One file.

  /// Opens a file.
  ///
  /// @param path the file
  /// @param options of [java.nio.file.StandardOpenOption]; `READ` if there is none
  /// @return the open file, its caller's to close
  /// @throws IllegalArgumentException if the options contradict each other
  /// @throws IOException if it cannot be opened; nothing stays open
  public OpenFile open(Path path, OpenOption... options) throws IOException {
    OpenOption[] copy = options.clone();
    FileChannel channel = call("open", path, () -> FileChannel.open(path, copy));
    var file = new OpenFile(this, path, channel);
    open.add(file);
    return file;
  }

  /// Reads a small file at once.
  ///
  /// @param path the file
  /// @return all its bytes
  /// @throws IOException if that fails
  public byte[] readAll(Path path) throws IOException {
    return call("read", path, () -> Files.readAllBytes(path));
  }

  /// Writes a small file at once. It is made, or what it had is replaced, unless the options say
  /// otherwise.
  ///
  /// @param path the file
  /// @param bytes its content
  /// @param options of [java.nio.file.StandardOpenOption]
  /// @throws IOException if that fails; some of it may have been written
  public void writeAll(Path path, byte[] bytes, OpenOption... options) throws IOException {
    OpenOption[] copy = options.clone();
    call("write", path, () -> Files.write(path, bytes, copy));
  }

  // Names.

  /// Copies a file, or makes a folder like another.
  ///
  /// @param from the file
  /// @param to where to
  /// @param options of [java.nio.file.StandardCopyOption]
  /// @throws FileAlreadyExistsException if `to` is there and is not to be replaced
  /// @throws IOException if it fails otherwise
  public void copy(Path from, Path to, CopyOption... options) throws IOException {
    CopyOption[] copy = options.clone();
    call("copy to " + to, from, () -> Files.copy(from, to, copy));
  }

  /// Moves or renames a file or folder.
  ///
  /// @param from the file
  /// @param to where to
  /// @param options of [java.nio.file.StandardCopyOption]
  /// @throws FileAlreadyExistsException if `to` is there and is not to be replaced
  /// @throws IOException if it fails otherwise
  public void move(Path from, Path to, CopyOption... options) throws IOException {
    CopyOption[] copy = options.clone();
    call("move to " + to, from, () -> Files.move(from, to, copy));
  }

  /// Deletes a file or an empty folder.
  ///
  /// @param path what
  /// @throws java.nio.file.NoSuchFileException if it is not there
  /// @throws java.nio.file.DirectoryNotEmptyException if it is a folder with something in it
  /// @throws IOException if it fails otherwise
  public void delete(Path path) throws IOException {
    this.<@Nullable Void>call(
        "delete",
        path,
        () -> {
          Files.delete(path);
          return null;
        });
  }

  /// Makes a second name for a file: a hard link.
  ///
  /// @param link the new name
  /// @param existing the file
  /// @throws UnsupportedOperationException if the file system has no such thing
  /// @throws IOException if it fails otherwise
  public void createLink(Path link, Path existing) throws IOException {
    call("link to " + existing, link, () -> Files.createLink(link, existing));
  }

  /// Makes a symbolic link.
  ///
  /// @param link the new name
  /// @param target what it stands for; need not be there
  /// @throws UnsupportedOperationException if the file system has no such thing
  /// @throws IOException if it fails otherwise
  public void createSymbolicLink(Path link, Path target) throws IOException {
    call("link symbolically to " + target, link, () -> Files.createSymbolicLink(link, target));
  }

  /// Reads what a symbolic link stands for.
  ///
  /// @param link the link
  /// @return its target
  /// @throws IOException if it is none, or is not there
  public Path readSymbolicLink(Path link) throws IOException {
    return call("read link", link, () -> Files.readSymbolicLink(link));
  }

  // Folders.

  /// Makes a folder.
  ///
  /// @param path what
  /// @throws FileAlreadyExistsException if it is there
  /// @throws IOException if it fails otherwise
  public void createDirectory(Path path) throws IOException {
    call("make folder", path, () -> Files.createDirectory(path));
  }

  /// Makes a folder and those it is in, as far as they are not there.
  ///
  /// @param path what
  /// @throws IOException if it fails
  public void createDirectories(Path path) throws IOException {
    call("make folders", path, () -> Files.createDirectories(path));
  }

  /// Makes an empty file with a name of its own.
  ///
  /// @param folder where
  /// @param prefix how its name begins
  /// @param suffix how its name ends
  /// @return the file, its caller's to delete
  /// @throws IOException if it fails
  public Path createTempFile(Path folder, String prefix, String suffix) throws IOException {
    return call(
        "make a temporary file in", folder, () -> Files.createTempFile(folder, prefix, suffix));
  }

  /// Makes a folder with a name of its own.
  ///
  /// @param folder where
  /// @param prefix how its name begins
  /// @return the folder, its caller's to delete
  /// @throws IOException if it fails
  public Path createTempDirectory(Path folder, String prefix) throws IOException {
    return call(
        "make a temporary folder in", folder, () -> Files.createTempDirectory(folder, prefix));
  }

  /// Lists a folder, bit by bit: it may hold millions.
  ///
  /// @param folder what
  /// @return what is in it, in no order; its caller's to close
  /// @throws java.nio.file.NotDirectoryException if it is none
  /// @throws IOException if it fails otherwise
  @SuppressWarnings("StreamResourceLeak") // the listing closes it
  public DirectoryListing list(Path folder) throws IOException {
    var listing =
        new DirectoryListing(
            this, folder, call("list", folder, () -> Files.newDirectoryStream(folder)));
    open.add(listing);
    return listing;
  }

  /// Begins to watch a folder for what is made, changed and deleted in it.
  ///
  /// @param folder what
  /// @return to wait with, its caller's to close
  /// @throws java.nio.file.NoSuchFileException if it is not there
  /// @throws java.nio.file.NotDirectoryException if it is none
  /// @throws IOException if the system has no watches left, or cannot watch it otherwise
  public DirectoryWatch watch(Path folder) throws IOException {
    WatchService service = call("watch", folder, () -> watching(folder));
    var watch = new DirectoryWatch(this, folder, service);
    open.add(watch);
    return watch;
  }

  /// On a worker.
  private static WatchService watching(Path folder) throws IOException {
    WatchService service = folder.getFileSystem().newWatchService();
    try {
      folder.register(
          service,
          StandardWatchEventKinds.ENTRY_CREATE,
          StandardWatchEventKinds.ENTRY_MODIFY,
          StandardWatchEventKinds.ENTRY_DELETE);
      return service;
    } catch (IOException | RuntimeException e) {
      service.close();
      throw e;
    }
  }

  // Attributes.

  /// Tells a file's size, times and kind.
  ///
  /// @param path what
  /// @param options whether to follow symbolic links; yes, if there is none
  /// @return as of now
  /// @throws IOException if it fails
  public BasicFileAttributes attributes(Path path, LinkOption... options) throws IOException {
    LinkOption[] copy = options.clone();
    return call(
        "read attributes of",
        path,
        () -> Files.readAttributes(path, BasicFileAttributes.class, copy));
  }

  /// Tells whether something is there.
  ///
  /// @param path what
  /// @return false, too, if it cannot be told
  /// @throws IOException never
  public boolean exists(Path path) throws IOException {
    return call("look for", path, () -> Files.exists(path));
  }

  /// Tells who may do what.
  ///
  /// @param path what
  /// @return as of now
  /// @throws UnsupportedOperationException if the file system is not POSIX's
  /// @throws IOException if it fails otherwise
  public Set<PosixFilePermission> permissions(Path path) throws IOException {
    return call("read permissions of", path, () -> Files.getPosixFilePermissions(path));
  }

  /// Sets who may do what.
  ///
  /// @param path what
  /// @param permissions from now on
  /// @throws UnsupportedOperationException if the file system is not POSIX's
  /// @throws IOException if it fails otherwise
  public void permissions(Path path, Set<PosixFilePermission> permissions) throws IOException {
    Set<PosixFilePermission> copy = Set.copyOf(permissions);
    call("set permissions of", path, () -> Files.setPosixFilePermissions(path, copy));
  }

  /// Sets when a file was modified, and makes it, empty, if it is not there.
  ///
  /// @param path the file
  /// @param modified the time
  /// @throws IOException if it fails
  public void touch(Path path, FileTime modified) throws IOException {
    call(
        "touch",
        path,
        () -> {
          try {
            Files.createFile(path);
          } catch (FileAlreadyExistsException there) {
            // as well
          }
          return Files.setLastModifiedTime(path, modified);
        });
  }

  // For open files, listings and watches.

  <T extends @Nullable Object> T call(String operation, Path path, Callable<? extends T> code)
      throws IOException {
    Objects.requireNonNull(path, "path");
    try {
      return workers.call(code);
    } catch (IOException e) {
      throw FileFailures.of(operation, path, e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /// Closes something, also in a cancelled task: elsewhere if there is a task to wait, else here.
  void close(String what, Path path, AutoCloseable resource) throws IOException {
    scheduler.host().checkThread();
    try {
      if (scheduler.currentTask() == null) {
        resource.close();
      } else {
        scheduler.<@Nullable Void>shielded(() ->
            workers.call(() -> {
              resource.close();
              return null;
            }));
      }
    } catch (IOException e) {
      throw FileFailures.of(what, path, e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  void forget(AutoCloseable closed) {
    open.remove(closed);
  }

  Scheduler scheduler() {
    return scheduler;
  }

  /// Nothing to do: operations end through the scheduler's inbox.
  @Override
  public StepResult turn(StepTask<Void> self) {
    return StepResult.SUSPEND;
  }

  /// Closes what is still open and lets the threads end.
  @Override
  public void close() throws Exception {
    for (AutoCloseable each : List.copyOf(open)) {
      each.close();
    }
    workers.close();
  }
}
