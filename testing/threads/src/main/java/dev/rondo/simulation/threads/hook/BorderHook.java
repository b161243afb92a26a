package dev.rondo.simulation.threads.hook;

import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/// What rewritten code calls where a simulated thread waits for what others do, or others do what
/// it may have waited for.
public final class BorderHook {

  /// From which number on threads are those of programs. The JVM's never come so far.
  public static final long FIRST_THREAD_ID = 1_000_000_000;

  /// Of the world; null between worlds. Written by the world's thread.
  private static volatile @Nullable Border border;

  /// The thread of that world. Guarded by the class.
  private static @Nullable Thread watcher;

  private BorderHook() {}

  /// Has the calls of threads that are not simulated watched. Called by the world's thread.
  ///
  /// @return false if a world of another thread watches them
  public static synchronized boolean watch(Border by) {
    Thread before = watcher;
    Thread caller = Thread.currentThread();
    if (border != null && border != by && before != caller && before != null && before.isAlive()) {
      return false;
    }
    border = by;
    watcher = caller;
    return true;
  }

  /// Undoes [#watch].
  public static synchronized void watchNoMore(Border by) {
    if (border == by) {
      border = null;
      watcher = null;
    }
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

  /// A thread that a program has not started itself is woken or interrupted.
  public static void reached(Thread thread) {
    Border own = border;
    if (own != null && isCarrier(thread) && Hook.current() == null) {
      own.reached(null, thread);
    }
  }

  /// {@return whether a thread is one of a simulation, that runs or has run there}
  public static boolean isSimulated(Thread thread) {
    return isCarrier(thread) || Shown.of(thread) != null;
  }

  private static boolean isCarrier(Thread thread) {
    return thread.isVirtual() && thread.threadId() >= FIRST_THREAD_ID;
  }

  /// What `Object.notify()` does.
  public static void notify(Object monitor) {
    notifying(monitor);
    monitor.notify();
    released(monitor);
  }

  /// What `Object.notifyAll()` does.
  public static void notifyAll(Object monitor) {
    notifying(monitor);
    monitor.notifyAll();
    released(monitor);
  }

  private static void notifying(Object monitor) {
    Border own = border;
    if (own != null && Hook.current() == null) {
      own.notifies(monitor);
    }
  }

  /// The caller has waited for something up to a limit, or ends it because its limit is over.
  ///
  /// @param on null, or a future that is done, for nothing
  public static void endedAtLimit(@Nullable Object on) {
    Program own = Hook.current();
    if (own != null && on != null && !(on instanceof Future<?> future && future.isDone())) {
      own.endedAtLimit(on);
    }
  }

  /// The caller is about to wait for the end of a thread.
  ///
  /// @throws IllegalStateException if the caller is simulated and the thread is not; its run fails
  public static void joining(Thread thread) {
    Program own = Hook.current();
    if (own != null && isOutside(thread)) {
      throw own.waitsFor(thread);
    }
  }

  private static boolean isOutside(Thread thread) {
    return !isSimulated(thread) && thread.isAlive();
  }

  /// The caller is about to wait for the end of a pool.
  ///
  /// @throws IllegalStateException if the caller is simulated and a thread of the pool is not; its
  ///   run fails
  public static void awaiting(ThreadPoolExecutor pool) {
    Program own = Hook.current();
    if (own != null && !pool.isTerminated()) {
      requireNone(own, own.threadsOf(pool), false);
    }
  }

  /// The caller is about to wait for the end of a pool, or of its work.
  ///
  /// @throws IllegalStateException if the caller is simulated and a thread of the pool is not; its
  ///   run fails
  public static void awaiting(ForkJoinPool pool) {
    Program own = Hook.current();
    if (own != null && !pool.isTerminated()) {
      requireNone(own, own.threadsOf(pool), false);
    }
  }

  /// The caller is about to give work to a pool.
  ///
  /// @throws IllegalStateException if the caller is simulated and a thread of the pool is not; its
  ///   run fails
  public static void submitting(ThreadPoolExecutor pool) {
    Program own = Hook.current();
    if (own != null) {
      requireNone(own, own.threadsOf(pool), true);
    }
  }

  /// The caller is about to give work to a pool.
  ///
  /// @throws IllegalStateException if the caller is simulated and a thread of the pool is not; its
  ///   run fails
  /// @throws UnsupportedOperationException if the caller is simulated and the pool is the common
  ///   one of the JVM; its run fails
  public static void submitting(ForkJoinPool pool) {
    Program own = Hook.current();
    if (own != null) {
      requireNone(own, own.threadsOf(pool), true);
      if (own.isCommonOfJvm(pool)) {
        throw own.refused("the common pool of the JVM, which programs of the test share,");
      }
    }
  }

  /// The caller is about to give work to a timer.
  ///
  /// @param timer the thread of it
  /// @throws IllegalStateException if the caller is simulated and the timer is not; its run fails
  public static void submitting(Thread timer) {
    Program own = Hook.current();
    if (own != null) {
      requireNone(own, List.of(timer), true);
    }
  }

  private static void requireNone(Program own, List<Thread> threads, boolean gives) {
    for (Thread each : threads) {
      if (isOutside(each)) {
        throw gives ? own.givesWorkTo(each) : own.waitsFor(each);
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
