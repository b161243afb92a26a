package dev.rondo.io.file;

import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.internal.DetachableCall;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;

/// Watching a folder for changes. Made by [WaitForFile#watch]. Changes that come while nobody waits
/// are kept, up to a number; beyond that they are told as one [DirectoryChange.Overflow].
///
/// What is told is what the system's watch tells (inotify on Linux, polling elsewhere): one save
/// may be several changes. To watch a file, watch its folder and look at the path. One task at a
/// time waits. A thread is taken while somebody waits.
///
/// Confined to the scheduler's thread.
public final class DirectoryWatch implements AutoCloseable {

  private final WaitForFile files;
  private final Path folder;
  private final WatchService service;
  private final DetachableCall<WatchKey> flight;
  private boolean closed;
  private boolean vanished;

  DirectoryWatch(WaitForFile files, Path folder, WatchService service) {
    this.files = files;
    this.folder = folder;
    this.service = service;
    this.flight = new DetachableCall<>(files.scheduler(), "rondo-watch");
  }

  /// Waits for changes. *Always* a suspension point. A task that is cancelled meanwhile takes
  /// nothing.
  ///
  /// @return at least one, the earliest first
  /// @throws DirectoryVanishedException if the folder is not there any more; changes before that
  ///   were told
  /// @throws ChannelClosedException if this watch is closed, before or meanwhile
  /// @throws IOException if the system cannot watch any more
  public List<DirectoryChange> await() throws IOException {
    while (true) {
      requireOpen();
      if (vanished) {
        throw new DirectoryVanishedException(folder);
      }
      WatchKey key = take();
      var changes = new ArrayList<DirectoryChange>();
      for (WatchEvent<?> each : key.pollEvents()) {
        changes.add(change(each));
      }
      vanished = !key.reset();
      if (!changes.isEmpty()) {
        return List.copyOf(changes);
      }
    }
  }

  private WatchKey take() throws IOException {
    try {
      return flight.call(service::take);
    } catch (ClosedWatchServiceException | InterruptedException e) {
      requireOpen();
      throw new IOException("watch " + folder + ": ended: " + e, e);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private DirectoryChange change(WatchEvent<?> event) {
    if (!(event.context() instanceof Path name)) {
      return new DirectoryChange.Overflow(folder);
    }
    Path path = folder.resolve(name);
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
    return new ChannelClosedException("watch " + folder + ": this side has closed it");
  }

  /// Watches no more. Whoever waits is told with a [ChannelClosedException]. In a task *always* a
  /// suspension point, the first time.
  ///
  /// @throws IOException if that fails
  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      files.forget(this);
      flight.shutdown(this::closed);
      files.close("close the watch of", folder, service);
    }
  }

  @Override
  public String toString() {
    return "watch of " + folder;
  }
}
