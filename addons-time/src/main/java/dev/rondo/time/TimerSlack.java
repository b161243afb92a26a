package dev.rondo.time;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The timer slack of prctl(2): the time by which Linux may delay a thread's wakeup in order to
/// wake several threads at once. Each thread has its own slack and may write it to its own folder
/// in `/proc`.
///
/// Confined to the thread whose slack it is.
final class TimerSlack {

  /// A link to the folder of the thread that follows it.
  private static final Path THIS_THREAD = Path.of("/proc/thread-self");

  /// Zero would select the default.
  private static final long LEAST_NANOS = 1;

  private @Nullable Path setting;

  /// The value before the first change; null if there was no change.
  private @Nullable String original;

  /// Sets the slack of the calling thread, or logs why it cannot.
  ///
  /// @param nanos at least zero
  void set(long nanos) {
    if (Thread.currentThread().isVirtual()) {
      logger().info("timer slack not set: it would apply to the carrier of the virtual thread");
      return;
    }
    try {
      Path mine = setting == null ? find() : setting;
      if (original == null) {
        original = Files.readString(mine).strip();
      }
      Files.writeString(mine, Long.toString(Math.max(LEAST_NANOS, nanos)));
      setting = mine;
    } catch (IOException e) {
      logger().info("timer slack not set: the system does not allow it: {}", e.toString());
    }
  }

  /// A thread may write `/proc/<own tid>/timerslack_ns`, but not the same file in a `task` folder.
  private static Path find() throws IOException {
    Path thread = Files.readSymbolicLink(THIS_THREAD).getFileName();
    return Path.of("/proc", thread.toString(), "timerslack_ns");
  }

  /// Restores the original value.
  void reset() throws IOException {
    if (setting != null && original != null) {
      Files.writeString(setting, original);
      setting = null;
    }
  }

  private static Logger logger() {
    return LoggerFactory.getLogger(WaitForTime.class);
  }
}
