package dev.rondo.time;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// By how much Linux may wake a thread later than it asked, so as to wake several at once: the
/// timer slack of prctl(2). Each thread has its own, and may write it in its own folder of `/proc`.
///
/// Confined to the thread whose it is.
final class TimerSlack {

  /// Of whichever thread looks: a link to its folder.
  private static final Path THIS_THREAD = Path.of("/proc/thread-self");

  /// Zero would mean the default.
  private static final long LEAST_NANOS = 1;

  private @Nullable Path setting;

  /// What it was before the first change; null if there was none.
  private @Nullable String original;

  /// Sets that of the calling thread, or logs why it cannot.
  ///
  /// @param nanos at least zero
  void set(long nanos) {
    if (Thread.currentThread().isVirtual()) {
      logger().info("no timer slack is set: it would be that of the virtual thread's carrier");
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
      logger()
          .info("no timer slack is set: the system does not let a thread do so: {}", e.toString());
    }
  }

  /// A thread may write this file of its own, by its number, but not the same in a folder of tasks.
  private static Path find() throws IOException {
    Path thread = Files.readSymbolicLink(THIS_THREAD).getFileName();
    return Path.of("/proc", thread.toString(), "timerslack_ns");
  }

  /// Sets what it was before.
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
