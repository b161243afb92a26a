package dev.rondo.simulation.blocking.hook;

import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/// What rewritten code calls where a simulated thread waits for what others do, or others do what
/// it may have waited for.
public final class BorderHook {

  /// Of the world; null while there is none. Written by the world's thread.
  private static volatile @Nullable Border border;

  private BorderHook() {}

  /// Has the calls of threads that are not simulated watched.
  ///
  /// @param by null for not at all
  public static void watch(@Nullable Border by) {
    border = by;
  }

  /// Something is released that threads may wait for.
  public static void released(Object what) {
    Border own = border;
    if (own != null && Hook.current() == null) {
      own.released(what);
    }
  }

  /// A simulated thread is woken or interrupted.
  static void reached(Shown simulated) {
    Border own = border;
    if (own != null && Hook.current() == null) {
      own.reached(simulated.program(), simulated.thread());
    }
  }

  /// What `Object.notify()` does.
  public static void notify(Object monitor) {
    monitor.notify();
    released(monitor);
  }

  /// What `Object.notifyAll()` does.
  public static void notifyAll(Object monitor) {
    monitor.notifyAll();
    released(monitor);
  }

  /// The caller has waited for something up to a limit.
  public static void endedAtLimit(Object on) {
    Program own = Hook.current();
    if (own != null) {
      own.endedAtLimit(on);
    }
  }

  /// The caller is about to wait for the end of a thread.
  ///
  /// @throws IllegalStateException if the caller is simulated and the thread is not; its run fails
  public static void joining(Thread thread) {
    Program own = Hook.current();
    if (own != null && Shown.of(thread) == null && thread.isAlive()) {
      throw own.waitsFor(thread);
    }
  }

  /// The caller is about to wait for the end of a pool.
  ///
  /// @throws IllegalStateException if the caller is simulated and a thread of the pool is not; its
  ///   run fails
  public static void awaiting(ThreadPoolExecutor pool) {
    Program own = Hook.current();
    if (own != null && !pool.isTerminated()) {
      for (Thread each : own.threadsOf(pool)) {
        joining(each);
      }
    }
  }

  /// The caller is about to wait for the end of a process of the computer.
  ///
  /// @throws UnsupportedOperationException if the caller is simulated; its run fails
  public static void awaiting(Process process) {
    Program own = Hook.current();
    if (own != null && process.isAlive()) {
      throw own.refused("the end of the subprocess " + process.pid());
    }
  }
}
