package dev.rondo.scheduler;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The place of the one task that stays mounted while it waits.
///
/// A task that has just gone out of circulation need not leave its coroutine: if nobody else is in
/// this place, the loop goes on upon its frames, and runs the others as nested coroutines. When it
/// is its turn again, its suspending call just returns, and no stack was copied.
///
/// A resident has to leave when the loop is to end, and when it has not run for a while, so that a
/// hotter task can take its place.
final class MountedTask {

  /// A resident that has not run for so many passes makes room.
  private static final int MOST_PASSES = 2;

  private final Loop loop;

  /// Whether the builder asked for it and the backend can.
  private final boolean allowed;

  /// Whether the loop is driven in a way that allows for it: by `start()`.
  private boolean open;

  private @Nullable StackfulTask<?> resident;
  private int passes;

  MountedTask(Loop loop, boolean allowed) {
    this.loop = loop;
    this.allowed = allowed;
  }

  void open() {
    open = allowed && !loop.lendsThread();
  }

  void close() {
    open = false;
  }

  boolean isResident(Task<?> task) {
    return resident == task;
  }

  /// Has the loop go on upon the frames of a task that has just gone out of circulation.
  ///
  /// @return whether the task has its turn again; if not, it has to leave its coroutine
  boolean goOnUpon(StackfulTask<?> task) {
    if (!open || resident != null) {
      return false;
    }
    resident = task;
    passes = 0;
    loop.endTurn(task);
    boolean next;
    try {
      next = runUntilNext(task);
    } catch (Throwable e) {
      loop.failures.takeFatal(e); // of the loop, not of the task: comes out of start()
      loop.turnsLeft = 0;
      next = false;
    }
    loop.returnTo(task, next);
    resident = null;
    return next;
  }

  /// Gives turns until it is that of the task upon whose frames we are.
  ///
  /// @return whether it is; if not, something is to be decided below
  private boolean runUntilNext(StackfulTask<?> task) {
    while (true) {
      if (--loop.turnsLeft < 0 && !pass()) {
        return false;
      }
      Task<?> next = loop.tasks.first();
      if (next == task) {
        return true;
      }
      if (next != null) {
        loop.turn(next);
      } else if (!loop.awaitWork()) {
        return false;
      }
    }
  }

  /// A pass of the loop that leaves every decision to end to the [Driver] below.
  private boolean pass() {
    loop.noteInterrupt();
    if (loop.failures.hasFatal()
        || loop.halted
        || loop.inbox.isStopRequested()
        || ++passes > MOST_PASSES
        || !(loop.tasks.isWorking() || !loop.inbox.isEmpty())) {
      loop.turnsLeft = 0;
      return false;
    }
    loop.lookAround();
    return true;
  }

  /// The resident's stack, read on the scheduler's thread from inside another task. Its frames are
  /// in the middle of the thread's stack, between the loop that runs upon them and the entry of its
  /// own coroutine.
  static StackTraceElement[] stackTrace() {
    StackTraceElement[] all = Thread.currentThread().getStackTrace();
    int top = 0;
    while (top < all.length && !isFrame(all[top], MountedTask.class, "goOnUpon")) {
      top++;
    }
    int bottom = Math.min(top + 1, all.length);
    while (bottom < all.length && !isFrame(all[bottom], StackfulTask.class, "run")) {
      bottom++;
    }
    return Arrays.copyOfRange(all, Math.min(top + 1, all.length), bottom);
  }

  private static boolean isFrame(StackTraceElement frame, Class<?> type, String method) {
    return frame.getClassName().equals(type.getName()) && frame.getMethodName().equals(method);
  }
}
