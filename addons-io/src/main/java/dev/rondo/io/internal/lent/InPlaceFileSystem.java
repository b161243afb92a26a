package dev.rondo.io.internal.lent;

import java.nio.file.Path;
import java.time.Duration;

/// A [java.nio.file.FileSystem] whose operations take no real time, such as a simulated disk: its
/// class implements both. `WaitForFile` runs the operations on the scheduler's thread, so that they
/// happen in the same order in each run. Each takes some time of the scheduler's clock, in which
/// other tasks run.
///
/// Its methods are called on the scheduler's thread.
public interface InPlaceFileSystem {

  /// {@return how long the next operation takes} The task waits for as long, and then the operation
  /// happens at once.
  ///
  /// @param path what it is for
  Duration nextDelay(Path path);
}
