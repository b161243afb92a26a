package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.TaskLocal;
import dev.rondo.scheduler.addon.TaskMetrics;
import dev.rondo.scheduler.addon.TimerHandle;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The fields that only some tasks need. They are in a separate object, which is made on demand, so
/// that other tasks need less memory. The public fields belong to rooms.
///
/// Confined to the scheduler's thread.
public final class TaskExtras {

  /// The innermost source of cancellation that the task is in; null if it is in none. After a
  /// change, the room calls [TaskCore#refreshPendingCancel].
  public @Nullable CancelSource cancelSource;

  /// See [TaskCore#pendingCancel()].
  @Nullable CancelRequest pendingCancel;

  /// The state of the cancellation of the task; null if the task was never cancelled.
  @Nullable Cancellation cancellation;

  /// The part of the thread's context that belongs to the task while it is not running, see
  /// [Rooms.Contexts]. The task's [TaskLocal]s are not part of it.
  @Nullable Object @Nullable [] context;

  /// The bindings of [TaskLocal]s; null if there are none.
  @Nullable Map<Object, @Nullable Object> locals;

  /// The claim that other threads take to settle the wait of the task; null if no other thread can
  /// settle it.
  Rooms.@Nullable Claim claim;

  /// The timer of the limit of the wait that the task is in, or was in before it became ready; null
  /// if there is none.
  @Nullable TimerHandle alarm;

  /// The action that runs when the task is next parked.
  public @Nullable Runnable whenParked;

  /// The urgency for the scheduling policy; null if there is none.
  Rooms.@Nullable Urgency urgency;

  /// The object that the last wait has left behind for the next wait; null if there is none. Called
  /// when the task ends.
  public @Nullable Consumer<? super TaskCore<?>> leftover;

  /// The meter that counts what the task uses; null if there is none.
  public @Nullable Supplier<TaskMetrics> meter;

  /// Whether the next turn begins with an interrupt: in an earlier turn, the task has interrupted
  /// its thread, which other tasks use, too. Set by [Turns#keepInterrupt].
  boolean interrupted;

  /// Whether a call of the JDK has blocked the task while it was hidden, see
  /// [Turns#hideCurrentTask].
  public boolean hidden;

  /// Whether the task was made for code outside of tasks, and not for a program: listeners do not
  /// see it, because the code may be theirs.
  public boolean madeForCode;

  /// Whether the task cannot be scheduled while it waits. Set by [StackfulTask#withoutScheduling].
  boolean keepsWaiting;

  /// Called when the wait is over and the task has no turn soon.
  void endLimit() {
    TimerHandle armed = alarm;
    if (armed != null) {
      alarm = null;
      armed.cancel();
    }
  }

  /// Called when the task was parked.
  void parked() {
    Runnable action = whenParked;
    if (action != null) {
      whenParked = null;
      action.run();
    }
  }

  /// Called when the task has ended. Drops the object that its last wait has left.
  void end(TaskCore<?> task) {
    Consumer<? super TaskCore<?>> left = leftover;
    if (left != null) {
      leftover = null;
      left.accept(task);
    }
  }
}
