package dev.rondo.io.file;

import dev.rondo.io.internal.Arguments;
import dev.rondo.io.internal.Throwables;
import dev.rondo.io.internal.Workers;
import dev.rondo.io.internal.lent.InPlaceFileSystem;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.internal.rooms.Delay;
import dev.rondo.scheduler.internal.rooms.TaskControl;
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
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// File operations. Each runs on one of this add-on's few threads while the loop continues; on a
/// simulated disk it runs on the scheduler's thread. Every method that takes a path is *always* a
/// suspension point.
///
/// An operation that has begun cannot be cancelled: the task waits for it, receives its result, and
/// the cancellation takes effect at its next suspension point. Operations are never interrupted,
/// because that would close a file that other tasks use.
///
/// **Failures** have the types of `java.nio.file`, and a message with the operation and the file:
/// [java.nio.file.NoSuchFileException], [java.nio.file.AccessDeniedException],
/// [FileAlreadyExistsException], [java.nio.file.DirectoryNotEmptyException],
/// [java.nio.file.NotDirectoryException], [java.nio.file.AtomicMoveNotSupportedException] and
/// others, or an [IOException] otherwise. Code given to [#run] may throw a failure of another type
/// than the JDK's. It stays as it is; a suppressed exception names the attempted operation.
///
/// Confined to the scheduler's thread.
public final class WaitForFile implements AddOn {

  private static final int THREADS = 4;

  private final Scheduler scheduler;
  private final Workers workers;

  /// Files, listings and watches: closed with the scheduler at the latest.
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
    Objects.requireNonNull(scheduler, "scheduler is null");
    WaitForFile installed = scheduler.host().addOn(WaitForFile.class);
    return installed != null ? installed : new WaitForFile(scheduler);
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
  /// @return the open file, which the caller closes
  /// @throws IllegalArgumentException if the options contradict each other
  /// @throws IOException if it cannot be opened; nothing stays open
  public OpenFile open(Path path, OpenOption... options) throws IOException {
    OpenOption[] copy = copyOf(options);
    FileChannel channel = call("open", path, () -> FileChannel.open(path, copy));
    var file = new OpenFile(this, path, channel);
    open.add(file);
    return file;
  }

  /// Reads all of a small file.
  ///
  /// @param path the file
  /// @return all its bytes
  /// @throws IOException if that fails
  public byte[] readAll(Path path) throws IOException {
    return call("read", path, () -> Files.readAllBytes(path));
  }

  /// Writes all of a small file. It is created, or its content replaced, unless the options say
  /// otherwise.
  ///
  /// @param path the file
  /// @param bytes its content
  /// @param options of [java.nio.file.StandardOpenOption]
  /// @throws IOException if that fails; some of it may have been written
  public void writeAll(Path path, byte[] bytes, OpenOption... options) throws IOException {
    Objects.requireNonNull(path, "path is null");
    Objects.requireNonNull(bytes, "bytes is null");
    OpenOption[] copy = copyOf(options);
    call("write", path, () -> Files.write(path, bytes, copy));
  }

  // Names.

  /// Copies a file, or creates a directory with the attributes of another.
  ///
  /// @param from the file
  /// @param to where to
  /// @param options of [java.nio.file.StandardCopyOption]
  /// @throws FileAlreadyExistsException if `to` exists and may not be replaced
  /// @throws IOException if it fails otherwise
  public void copy(Path from, Path to, CopyOption... options) throws IOException {
    Objects.requireNonNull(from, "from is null");
    Objects.requireNonNull(to, "to is null");
    CopyOption[] copy = copyOf(options);
    call("copy to " + to, from, () -> Files.copy(from, to, copy));
  }

  /// Moves or renames a file or directory.
  ///
  /// @param from the file
  /// @param to where to
  /// @param options of [java.nio.file.StandardCopyOption]
  /// @throws FileAlreadyExistsException if `to` exists and may not be replaced
  /// @throws IOException if it fails otherwise
  public void move(Path from, Path to, CopyOption... options) throws IOException {
    Objects.requireNonNull(from, "from is null");
    Objects.requireNonNull(to, "to is null");
    CopyOption[] copy = copyOf(options);
    call("move to " + to, from, () -> Files.move(from, to, copy));
  }

  /// Deletes a file or an empty directory.
  ///
  /// @param path the file or directory
  /// @throws java.nio.file.NoSuchFileException if it does not exist
  /// @throws java.nio.file.DirectoryNotEmptyException if it is a directory that is not empty
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

  // Directories.

  /// Creates a directory and its parents, where they do not exist.
  ///
  /// @param path the file or directory
  /// @throws IOException if it fails
  public void createDirectories(Path path) throws IOException {
    call("create directories", path, () -> Files.createDirectories(path));
  }

  /// Lists a directory in batches: it may have millions of entries.
  ///
  /// @param directory the directory
  /// @return the entries, in no order; the caller closes it
  /// @throws java.nio.file.NotDirectoryException if it is not a directory
  /// @throws IOException if it fails otherwise
  @SuppressWarnings("StreamResourceLeak") // the listing closes it
  public DirectoryListing list(Path directory) throws IOException {
    Objects.requireNonNull(directory, "directory is null");
    var listing =
        new DirectoryListing(
            this, directory, call("list", directory, () -> Files.newDirectoryStream(directory)));
    open.add(listing);
    return listing;
  }

  /// Begins to watch a directory for entries that are created, changed and deleted.
  ///
  /// @param directory the directory
  /// @return the watch, which the caller closes
  /// @throws java.nio.file.NoSuchFileException if it does not exist
  /// @throws java.nio.file.NotDirectoryException if it is not a directory
  /// @throws IOException if the system has no watches left, or cannot watch it for another reason
  public DirectoryWatch watch(Path directory) throws IOException {
    Objects.requireNonNull(directory, "directory is null");
    WatchService service = call("watch", directory, () -> watching(directory));
    var watch = new DirectoryWatch(this, directory, service);
    open.add(watch);
    return watch;
  }

  /// On a worker.
  private static WatchService watching(Path directory) throws IOException {
    WatchService service = directory.getFileSystem().newWatchService();
    try {
      directory.register(
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

  /// Returns the size, times and kind of a file.
  ///
  /// @param path the file or directory
  /// @param options whether to follow symbolic links; empty to follow them
  /// @return the current attributes
  /// @throws IOException if it fails
  public BasicFileAttributes attributes(Path path, LinkOption... options) throws IOException {
    LinkOption[] copy = copyOf(options);
    return call(
        "read attributes of",
        path,
        () -> Files.readAttributes(path, BasicFileAttributes.class, copy));
  }

  // The caller's own.

  /// Runs an operation of the caller's own in the same way as this add-on's operations. It may
  /// combine several steps, which then wait for a thread only once. *Always* a suspension point.
  ///
  /// @param <T> the type of its result
  /// @param what it does, for the message of a failure: `read the head of`
  /// @param path the file
  /// @param code runs outside the scheduler and must not call it
  /// @return its result, also if the task is cancelled while it runs
  /// @throws IOException if it fails; a failure of the program's own type is thrown as it is
  public <T extends @Nullable Object> T run(String what, Path path, FileOperation<? extends T> code)
      throws IOException {
    Objects.requireNonNull(what, "what is null");
    Objects.requireNonNull(code, "code is null");
    return call(what, path, code::run);
  }

  private static <O> O[] copyOf(O[] options) {
    Objects.requireNonNull(options, "options is null");
    O[] copy = options.clone();
    Arguments.requireElements(Arrays.asList(copy), "option is null");
    return copy;
  }

  // For open files, listings and watches.

  <T extends @Nullable Object> T call(String operation, Path path, Callable<? extends T> code)
      throws IOException {
    Objects.requireNonNull(path, "path is null");
    try {
      return perform(operation, path, code);
    } catch (IOException e) {
      throw FileFailures.of(operation, path, e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /// The description of an operation, for dumps and messages.
  private record Name(String operation, Path path) {

    @Override
    public String toString() {
      return "'" + operation + " " + path + "'";
    }
  }

  private <T extends @Nullable Object> T perform(
      String operation, Path path, Callable<? extends T> code) throws Exception {
    if (!(path.getFileSystem() instanceof InPlaceFileSystem inPlace)) {
      return workers.call(new Name(operation, path), code);
    }
    scheduler.checkpoint();
    Duration delay = inPlace.nextDelay(path);
    scheduler.shielded(() ->
        TaskControl.of(scheduler.host())
            .withoutScheduling(() -> {
              if (delay.isZero()) {
                scheduler.yield();
              } else {
                var _ = scheduler.host().awaitEvent(Delay.of(delay));
              }
            }));
    return code.call();
  }

  /// Closes a resource, even in a cancelled task: as an operation if there is a task to wait,
  /// otherwise on this thread.
  void close(String what, Path path, AutoCloseable resource) throws IOException {
    scheduler.host().checkThread();
    try {
      if (scheduler.currentTask() == null) {
        resource.close();
      } else {
        scheduler.shielded(() ->
            this.<@Nullable Void>perform(
                what,
                path,
                () -> {
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

  /// Does nothing: operations end through the scheduler's inbox.
  @Override
  public StepResult turn(StepTask<Void> self) {
    return StepResult.SUSPEND;
  }

  /// Closes all that is still open, and lets the threads end.
  @Override
  public void close() throws Exception {
    try (workers) {
      Throwables.closeAll(List.copyOf(open));
    }
  }
}
