package dev.rondo.io.file;

import java.nio.file.Path;
import java.time.Duration;

/// What a [java.nio.file.FileSystem] implements besides if its operations take no real time, as
/// those of a simulated disk. [WaitForFile] makes them on the scheduler's thread instead of one of
/// its own, so that they happen in the same order in each run. Each takes a time of the scheduler's
/// clock, in which other tasks run.
///
/// Its methods are called on the scheduler's thread.
public interface InPlaceFileSystem {

  /// {@return how long the next operation takes} The task waits for as long, and then the operation
  /// happens at once.
  ///
  /// @param path what it is for
  Duration nextDelay(Path path);
}
