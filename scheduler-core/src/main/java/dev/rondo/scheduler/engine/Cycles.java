package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.TaskWait;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The door to the room `engine.cycles`, which finds tasks that wait for each other and reports
/// them. See [Rooms].
public abstract class Cycles {

  /// For the room.
  protected Cycles() {}

  /// Describes what a task waits for, on the thread of its loop.
  ///
  /// @return null if no task holds that wait
  public static @Nullable TaskWait heldWaitOf(TaskCore<?> task) {
    return room().heldWait(task, task.loop.passNanos);
  }

  static Cycles room() {
    return Rooms.behind(Cycles.class);
  }

  /// What watches the waits of one loop, on the thread of the loop. A loop has one from the first
  /// wait that may close a cycle.
  public abstract static class Watch {

    /// For the room.
    protected Watch() {}

    /// Called when a task begins a wait that another task holds or that is a [WaitStep].
    protected abstract void waitBegins(TaskCore<?> task, Waitable<?> awaited);

    /// Whether nothing has to be looked at later.
    protected abstract boolean isEmpty();

    /// The instant of the next call of [#look] that is needed, unless it is empty.
    protected abstract long deadlineNanos();

    /// Called in each pass.
    protected abstract void look(long nowNanos);
  }

  /// Makes what watches the waits of a loop.
  protected abstract Watch watch(Loop loop);

  /// Makes the exception to throw if nothing can wake the tasks that are left.
  ///
  /// @param left all tasks but add-ons
  /// @param endsBySignal whether another thread may ask for an orderly shutdown, for which a task
  ///   can wait
  protected abstract DeadlockException deadlock(
      List<TaskCore<?>> left, long nowNanos, boolean endsBySignal);

  /// See [#heldWaitOf].
  protected abstract @Nullable TaskWait heldWait(TaskCore<?> task, long nowNanos);
}
