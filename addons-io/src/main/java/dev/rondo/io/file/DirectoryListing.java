package dev.rondo.io.file;

import dev.rondo.io.ChannelClosedException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The entries of a directory, read in batches. Made by [WaitForFile#list]. For use by one task.
/// Confined to the scheduler's thread.
public final class DirectoryListing implements AutoCloseable {

  private static final int BATCH = 128;

  private final WaitForFile files;
  private final Path directory;
  private final DirectoryStream<Path> stream;
  private final Iterator<Path> source;
  private final ArrayDeque<Path> read = new ArrayDeque<>();
  private boolean closed;

  DirectoryListing(WaitForFile files, Path directory, DirectoryStream<Path> stream) {
    this.files = files;
    this.directory = directory;
    this.stream = stream;
    this.source = stream.iterator();
  }

  /// Returns the next entry. A *possible* suspension point: once for each 128 entries.
  ///
  /// @return the directory's path and the entry's name; null after the last
  /// @throws ChannelClosedException if this is closed
  /// @throws IOException if the directory cannot be read any more
  public @Nullable Path next() throws IOException {
    if (closed) {
      throw new ChannelClosedException("list " + directory + ": this side has closed the listing");
    }
    if (read.isEmpty()) {
      read.addAll(files.call("list", directory, this::batch));
    }
    return read.poll();
  }

  private List<Path> batch() throws IOException {
    var batch = new ArrayList<Path>();
    try {
      while (batch.size() < BATCH && source.hasNext()) {
        batch.add(source.next());
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return batch;
  }

  /// Closes the listing. Later calls do nothing. In a task *always* a suspension point, the first
  /// time.
  ///
  /// @throws IOException if that fails
  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      read.clear();
      files.forget(this);
      files.close("close", directory, stream);
    }
  }

  @Override
  public String toString() {
    return "listing of " + directory;
  }
}
