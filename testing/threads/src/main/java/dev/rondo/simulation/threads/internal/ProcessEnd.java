package dev.rondo.simulation.threads.internal;

import dev.rondo.simulation.internal.threads.HostSeat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// How a process ends in order: its hooks run, and files are deleted. It does when its program says
/// so, when it is terminated, and when none of its threads is left that keeps a JVM running.
///
/// Confined to the world's thread and the threads that it carries.
final class ProcessEnd {

  private final HostSeat seat;
  private final Set<Thread> hooks = new LinkedHashSet<>();
  private final Set<Path> files = new LinkedHashSet<>();

  /// How many threads keep the process running. The main one does at first.
  private int keepers = 1;

  private boolean begun;

  ProcessEnd(HostSeat seat) {
    this.seat = seat;
  }

  /// As `Runtime.addShutdownHook` does.
  void add(Thread hook) {
    requireNotBegun();
    if (hook.getState() != Thread.State.NEW) {
      throw new IllegalArgumentException("Hook already running");
    }
    if (!hooks.add(hook)) {
      throw new IllegalArgumentException("Hook previously registered");
    }
  }

  /// As `Runtime.removeShutdownHook` does.
  boolean remove(Thread hook) {
    requireNotBegun();
    return hooks.remove(hook);
  }

  private void requireNotBegun() {
    if (begun) {
      throw new IllegalStateException("Shutdown in progress");
    }
  }

  /// As `File.deleteOnExit` does.
  void delete(Path file) {
    files.add(file);
  }

  void started(Thread thread) {
    if (!thread.isDaemon()) {
      keepers++;
    }
  }

  void ended(Thread thread) {
    if (!thread.isDaemon()) {
      keeperEnded();
    }
  }

  void mainEnded() {
    keeperEnded();
  }

  /// The process stays, without threads, as others do whose main has returned.
  private void keeperEnded() {
    if (--keepers == 0 && !begun && !(hooks.isEmpty() && files.isEmpty())) {
      start("DestroyJavaVM", null);
    }
  }

  /// Ends the process. Does not return.
  ///
  /// @param status the exit status, for the output of the host
  void exit(int status) {
    if (begun) {
      while (true) { // as a JVM does: the first one ends it
        boolean _ = Thread.interrupted();
        LockSupport.park();
      }
    }
    begun = true;
    run(null);
    halt(status);
  }

  /// Ends the process at once. Does not return.
  ///
  /// @param status the exit status, for the output of the host
  void halt(int status) {
    seat.told("exits with " + status);
    seat.exit();
  }

  /// Ends the process from outside, also if its hooks run or have run.
  ///
  /// @param limit how long its hooks may take
  void terminate(Duration limit) {
    start("SIGTERM handler", limit);
  }

  private void start(String name, @Nullable Duration limit) {
    begun = true;
    var scheduler = seat.application().scheduler();
    boolean _ =
        scheduler.scheduleTask(
            scheduler.newTask(
                name,
                () -> {
                  run(limit);
                  if (limit != null) {
                    seat.exit();
                  }
                  return null;
                }));
  }

  /// @param limit how long it may take; null for any time
  private void run(@Nullable Duration limit) {
    long end = limit == null ? 0 : seat.nanos() + limit.toNanos();
    for (Thread each : hooks) {
      if (each.getState() == Thread.State.NEW) {
        each.start();
      }
    }
    for (Thread each : hooks) {
      join(each, limit == null ? null : end);
    }
    for (Path each : List.copyOf(files).reversed()) {
      try {
        boolean _ = Files.deleteIfExists(each);
      } catch (IOException e) {
        // such as a directory that is not empty: it stays, as with the JDK
      }
    }
  }

  private void join(Thread hook, @Nullable Long end) {
    while (hook.isAlive()) {
      try {
        if (end == null) {
          hook.join();
        } else {
          long left = end - seat.nanos();
          if (left <= 0) {
            return;
          }
          boolean _ = hook.join(Duration.ofNanos(left));
        }
      } catch (InterruptedException e) {
        // the end goes on, as with the JDK
      }
    }
  }
}
