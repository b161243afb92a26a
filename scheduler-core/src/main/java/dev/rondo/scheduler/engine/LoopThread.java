package dev.rondo.scheduler.engine;

import org.jspecify.annotations.Nullable;

/// The threads that may use a scheduler: its own, and on backends where tasks have threads, the
/// thread of the task that has the turn.
final class LoopThread {

  /// The loop that runs on this thread.
  private static final ThreadLocal<@Nullable Loop> CURRENT = new ThreadLocal<>();

  private final Thread thread = Thread.currentThread();

  /// The thread of the task that had the last turn, if it has one of its own. Written by the
  /// scheduler's thread, before it hands over the turn. Another thread that reads it finds a thread
  /// other than itself, whatever it sees.
  private @Nullable Thread turnThread;

  /// The loop on whose task's stack ours runs.
  private @Nullable Loop below;

  static @Nullable Loop current() {
    return CURRENT.get();
  }

  /// The scheduler's own thread.
  Thread thread() {
    return thread;
  }

  /// Whether the caller runs on it, and not on the thread of a task. Any thread.
  boolean isHere() {
    return Thread.currentThread() == thread;
  }

  /// Whether it is interrupted. Any thread.
  boolean isInterrupted() {
    return thread.isInterrupted();
  }

  boolean isCaller() {
    Thread caller = Thread.currentThread();
    return caller == thread || caller == turnThread;
  }

  void checkCaller() {
    Thread caller = Thread.currentThread();
    if (caller != thread && caller != turnThread) {
      throw new WrongThreadException(
          "called on thread '%s', but this scheduler belongs to thread '%s'; hand the call over with execute(..)"
              .formatted(caller.getName(), thread.getName()));
    }
  }

  /// A task is about to have its turn on this thread; null is the scheduler's own.
  void turnGoesTo(@Nullable Thread taskThread) {
    if (taskThread != null) {
      turnThread = taskThread;
    }
  }

  /// The task that had the last turn has ended: its thread would keep it.
  void forgetThread() {
    turnThread = null;
  }

  /// A task of the loop begins to run on a thread of its own.
  void enter(Loop loop) {
    CURRENT.set(loop);
  }

  /// A loop begins to run on its thread. If that is in a task of another loop, no task of that loop
  /// can give way meanwhile.
  void beginDriving(Loop loop) {
    below = CURRENT.get();
    if (below != null) {
      below.obscure(true);
    }
    CURRENT.set(loop);
  }

  /// It has ended; the one below, if any, goes on.
  void endDriving() {
    Loop outer = below;
    below = null;
    if (outer != null) {
      outer.obscure(false);
      CURRENT.set(outer);
    } else {
      CURRENT.remove();
    }
  }
}
