package dev.rondo.io.file;

import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.internal.DetachableCall;
import dev.rondo.io.internal.Throwables;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// Watches a directory for changes. Made by [WaitForFile#watch]. Changes that happen while no task
/// waits are kept, up to a number; more are reported as one [DirectoryChange.Overflow].
///
/// The system's watch reports the changes (inotify on Linux, polling elsewhere), so one save may be
/// several changes. To watch a file, watch its directory and compare the path. One task at a time
/// waits; its wait occupies a thread.
///
/// Confined to the scheduler's thread.
public final class DirectoryWatch implements AutoCloseable {

  private final WaitForFile files;
  private final Path directory;
  private final WatchService service;
  private final DetachableCall<WatchKey> take;
  private boolean closed;
  private boolean vanished;

  DirectoryWatch(WaitForFile files, Path directory, WatchService service) {
    this.files = files;
    this.directory = directory;
    this.service = service;
    this.take = new DetachableCall<>(files.scheduler(), "watch of " + directory);
  }

  /// Waits for changes. *Always* a suspension point. A task that is cancelled takes nothing.
  ///
  /// @return at least one, the earliest first
  /// @throws DirectoryVanishedException if the directory does not exist any more; earlier changes
  ///   were returned
  /// @throws ChannelClosedException if this watch is closed, before or during the operation
  /// @throws IOException if the system cannot watch any more
  public List<DirectoryChange> await() throws IOException {
    while (true) {
      requireWatching();
      List<DirectoryChange> changes = changesIn(keyOf(() -> take.call(service::take)));
      if (!changes.isEmpty()) {
        return changes;
      }
    }
  }

  /// {@return a wait for changes, as [#await()], to be awaited with a limit or as a branch of a
  /// choice} A branch that is not taken takes no changes.
  public Waitable<List<DirectoryChange>> changing() {
    return Waitable.guard(
            () -> {
              try {
                requireWatching();
              } catch (IOException e) {
                throw Throwables.<RuntimeException>rethrow(e);
              }
              return take.calling(service::take, this::pollOrNothing);
            })
        .map(taken ->
            Throwables.resultOf(() -> {
              List<DirectoryChange> changes = changesIn(keyOf(taken));
              return changes.isEmpty() ? await() : changes; // empty if the directory has vanished
            }));
  }

  /// {@return a key that has changes now; null if there is none}
  private @Nullable WatchKey pollOrNothing() {
    try {
      return service.poll();
    } catch (ClosedWatchServiceException e) {
      return null; // the waiting thread finds that, too
    }
  }

  private void requireWatching() throws IOException {
    requireOpen();
    if (vanished) {
      throw new DirectoryVanishedException(directory);
    }
  }

  /// Takes the changes of a key.
  private List<DirectoryChange> changesIn(WatchKey key) {
    var changes = new ArrayList<DirectoryChange>();
    for (WatchEvent<?> each : key.pollEvents()) {
      changes.add(change(each));
    }
    vanished = !key.reset();
    return List.copyOf(changes);
  }

  private WatchKey keyOf(Callable<WatchKey> taking) throws IOException {
    try {
      return taking.call();
    } catch (ClosedWatchServiceException | InterruptedException e) {
      requireOpen();
      throw new IOException("watch " + directory + ": ended: " + e, e);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private DirectoryChange change(WatchEvent<?> event) {
    if (!(event.context() instanceof Path name)) {
      return new DirectoryChange.Overflow(directory);
    }
    Path path = directory.resolve(name);
    WatchEvent.Kind<?> kind = event.kind();
    if (kind == StandardWatchEventKinds.ENTRY_CREATE) {
      return new DirectoryChange.Created(path);
    }
    return kind == StandardWatchEventKinds.ENTRY_DELETE
        ? new DirectoryChange.Deleted(path)
        : new DirectoryChange.Modified(path);
  }

  private void requireOpen() throws ChannelClosedException {
    if (closed) {
      throw closed();
    }
  }

  private ChannelClosedException closed() {
    return new ChannelClosedException("watch " + directory + ": this side has closed it");
  }

  /// Ends the watch. A waiting task fails with a [ChannelClosedException]. In a task *always* a
  /// suspension point, the first time.
  ///
  /// @throws IOException if that fails
  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      files.forget(this);
      take.shutdown(this::closed);
      files.close("close the watch of", directory, service);
    }
  }

  @Override
  public String toString() {
    return "watch of " + directory;
  }
}
