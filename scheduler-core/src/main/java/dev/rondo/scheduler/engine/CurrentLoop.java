package dev.rondo.scheduler.engine;

import org.jspecify.annotations.Nullable;

/// Records which loop runs on a thread.
public final class CurrentLoop {

  private static final ThreadLocal<@Nullable Loop> CURRENT = new ThreadLocal<>();

  private final Loop loop;

  /// The loop below this one: this loop runs on the stack of a task of that loop. Null if there is
  /// none.
  private @Nullable Loop below;

  /// Whether the running task of that loop was hidden already when this loop began to run.
  private boolean wasHiddenBelow;

  CurrentLoop(Loop loop) {
    this.loop = loop;
  }

  /// {@return the loop that runs on the calling thread; null if there is none}
  public static @Nullable Loop get() {
    return CURRENT.get();
  }

  /// {@return the task that has the turn on the calling thread; null if there is none}
  public static @Nullable TaskCore<?> runningTask() {
    Loop running = CURRENT.get();
    return running == null ? null : running.runningTask();
  }

  /// Describes what runs on the calling thread, for messages.
  public static String describe() {
    Loop running = CURRENT.get();
    return running == null ? thisThread() : running.callerName();
  }

  /// Describes the calling thread, for messages.
  public static String thisThread() {
    return "thread '" + Thread.currentThread().getName() + "'";
  }

  @Nullable Loop below() {
    return below;
  }

  /// Called when code of the loop begins to run on a thread other than the loop's own.
  void enter() {
    CURRENT.set(loop);
  }

  /// Called when the loop begins to run on its thread. If the thread is running a task of another
  /// loop, no task of that loop can give way meanwhile.
  void begin() {
    below = CURRENT.get();
    if (below != null) {
      wasHiddenBelow = below.hideCurrentTask();
    }
    CURRENT.set(loop);
  }

  /// Called when the run of the loop has ended. The loop below it, if there is one, continues.
  void end() {
    Loop outer = below;
    below = null;
    if (outer != null) {
      outer.restoreCurrentTask(wasHiddenBelow);
    }
    CURRENT.set(outer); // not remove(): a step of a single turn would pay for a new entry
  }
}
