package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Waitable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The one task that stays mounted while it waits: the loop runs above its frames.
///
/// A task that was just parked need not leave its coroutine. If no other task is mounted, the loop
/// continues above its frames, and runs the other tasks as nested coroutines. When the task has its
/// turn again, its suspending call returns, and no stack was copied.
///
/// A mounted task leaves its coroutine before the run ends. It also does so after [#MOST_PASSES]
/// passes without a turn, so that a task which runs more often can take its place.
final class MountedTask {

  /// After how many passes without a turn a mounted task makes room.
  private static final int MOST_PASSES = 2;

  private final Loop loop;

  /// Whether the builder asked for it and the backend can.
  private final boolean allowed;

  private @Nullable StackfulTask<?> mounted;
  private final UntilNext untilNext = new UntilNext();

  MountedTask(Loop loop, boolean allowed) {
    this.loop = loop;
    this.allowed = allowed;
  }

  /// Called in a run that allows for a mounted task: that of `start()`.
  void open() {
    loop.isOpenForMounted = allowed;
  }

  void close() {
    loop.isOpenForMounted = false;
  }

  boolean isMounted(TaskCore<?> task) {
    return mounted == task;
  }

  /// Runs the loop above the frames of a task that was just parked.
  ///
  /// @return whether the task has its turn again; if not, it has to leave its coroutine
  boolean runAbove(StackfulTask<?> task) {
    Waitable<?> source = task.awaited();
    if (mounted != null || source == null || !source.mayStayMounted()) {
      return false;
    }
    mounted = task;
    loop.endInnerTurn(task);
    boolean next;
    try {
      untilNext.begin();
      loop.run(untilNext);
      next = untilNext.isNext;
    } catch (Throwable e) {
      loop.failed(e); // of the loop, not of the task: comes out of start()
      next = false;
    }
    loop.returnTo(task, next);
    mounted = null;
    return next;
  }

  /// A run until the mounted task has its turn again. The run below decides when to end. Reusable.
  private final class UntilNext extends Run {

    private boolean isNext;
    private int passes;

    void begin() {
      isNext = false;
      passes = 0;
    }

    @Override
    boolean pass() {
      loop.noteInterrupt();
      if (loop.mustEnd() || ++passes > MOST_PASSES || !loop.hasWork()) {
        loop.passSoon();
        return false;
      }
      loop.pass();
      return true;
    }

    @Override
    boolean turn(TaskCore<?> next) {
      if (next == mounted) {
        isNext = true;
        return false;
      }
      loop.turn(next);
      return true;
    }

    @Override
    boolean turn(ReadyQueue tasks, LazyChain chain) {
      loop.turn(chain);
      return true;
    }
  }

  /// The stack of the mounted task, read on the scheduler's thread from inside another task. Its
  /// frames are in the middle of the thread's stack, between the loop that runs above them and the
  /// entry of its own coroutine.
  static StackTraceElement[] stackTrace() {
    StackTraceElement[] all = Thread.currentThread().getStackTrace();
    int top = 0;
    while (top < all.length && !isFrame(all[top], MountedTask.class, "runAbove")) {
      top++;
    }
    int bottom = Math.min(top + 1, all.length);
    while (bottom < all.length && !isEntry(all[bottom])) {
      bottom++;
    }
    return Arrays.copyOfRange(all, Math.min(top + 1, all.length), bottom);
  }

  private static boolean isEntry(StackTraceElement frame) {
    return isFrame(frame, StackfulTask.class, "run")
        || isFrame(frame, LazyCoroutineBody.class, "run");
  }

  private static boolean isFrame(StackTraceElement frame, Class<?> type, String method) {
    return frame.getClassName().equals(type.getName()) && frame.getMethodName().equals(method);
  }
}
