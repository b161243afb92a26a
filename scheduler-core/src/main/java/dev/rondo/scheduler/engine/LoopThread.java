package dev.rondo.scheduler.engine;

import org.jspecify.annotations.Nullable;

/// Checks which threads may use a scheduler: the scheduler's own thread and, on backends where
/// tasks have threads, the thread of the task that has the turn.
///
/// The base class of [RunningTask], and so of the [Loop], because nearly every call of a program
/// begins with this check.
abstract sealed class LoopThread permits RunningTask {

  final Thread thread = Thread.currentThread();

  /// The thread of the task that had the last turn, if the task has its own thread. Written by the
  /// scheduler's thread before it gives the turn to the task. Other threads may read an old value,
  /// but never their own thread.
  private @Nullable Thread turnThread;

  /// Whether the caller runs on the scheduler's own thread, and not on that of a task. Any thread.
  final boolean isHere() {
    return Thread.currentThread() == thread;
  }

  public final boolean isCaller() {
    Thread caller = Thread.currentThread();
    return caller == thread || caller == turnThread;
  }

  public final void checkCaller() {
    Thread caller = Thread.currentThread();
    if (caller != thread && caller != turnThread) {
      throw new WrongThreadException(
          "called on thread '%s', but this scheduler belongs to thread '%s'; hand the call over with post(..), or as a task with post(() -> spawn(..))"
              .formatted(caller.getName(), thread.getName()));
    }
  }

  /// Called before a task has its turn on this thread; null is the scheduler's own.
  final void turnGoesTo(@Nullable Thread taskThread) {
    if (taskThread != null) {
      turnThread = taskThread;
    }
  }

  /// Called when the task that had the last turn has ended: its thread would keep the task in
  /// memory.
  final void forgetThread() {
    turnThread = null;
  }
}
