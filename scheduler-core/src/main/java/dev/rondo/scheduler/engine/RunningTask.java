package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.addon.SchedulingPolicy;
import org.jspecify.annotations.Nullable;

/// Records which task has the turn.
///
/// The base class of [Turns], and so of the [Loop], because most calls of a program ask for the
/// running task.
///
/// Confined to the scheduler's thread, except where a method says otherwise.
abstract sealed class RunningTask extends LoopThread permits Turns {

  /// A value that is no slot, and that differs from each value of [#running].
  private static final int UNKNOWN = Integer.MIN_VALUE;

  /// The ready queue, which is the table of all tasks, too.
  public final ReadyQueue tasks;

  /// The slot of the entry that has the turn, which is the head of the ready queue. It is
  /// [TaskTable#NONE] between turns, and from the moment when a task gives up its place until its
  /// turn is over. It is a number, because writing a reference costs a memory fence, see
  /// [ReadyQueue].
  int running = TaskTable.NONE;

  /// The slot of the running task, if it may pass the checkpoints of this turn while its budget
  /// lasts: it has a stack, is not [#hidden], not debugged, and not cancelled. Otherwise any other
  /// number.
  private int checkedSlot = UNKNOWN;

  /// Whether the running task is hidden: another loop, a listener or similar code runs on its
  /// stack. No task is current then, and the running task cannot give way. Set by
  /// [#hideCurrentTask].
  private boolean hidden;

  RunningTask(@Nullable SchedulingPolicy policy) {
    this.tasks = new ReadyQueue(policy);
  }

  public final boolean isRunning(ReadyEntry entry) {
    return entry.slot == running && running != TaskTable.NONE;
  }

  /// The task that has the turn; null if there is none, and while it is hidden by
  /// [#hideCurrentTask].
  public final @Nullable TaskCore<?> currentTask() {
    return hidden ? null : runningTask();
  }

  /// Whether a task has the turn, and may give way. Does not make the task.
  final boolean hasCurrentTask() {
    return running != TaskTable.NONE && !hidden;
  }

  /// The task that has the turn. Any thread. A thread other than the scheduler's may see an old
  /// value.
  public final @Nullable TaskCore<?> runningTask() {
    int slot = running;
    @Nullable ReadyEntry[] all = tasks.slots;
    ReadyEntry entry = slot < 0 || slot >= all.length ? null : all[slot];
    return entry == null || entry instanceof TaskCore<?> ? (TaskCore<?>) entry : firstOf(entry);
  }

  private @Nullable TaskCore<?> firstOf(ReadyEntry entry) {
    return isHere() ? entry.makeFirst() : entry.portrait();
  }

  /// The number of the running task; 0 if there is none. Does not make the task.
  public final long runningId() {
    int slot = running;
    ReadyEntry entry = slot < 0 ? null : tasks.slots[slot];
    return entry == null ? 0 : entry.id();
  }

  /// The [dev.rondo.scheduler.TaskLocal] bindings of the running task. Does not make the task.
  public final @Nullable Object @Nullable [] runningLocals() {
    int slot = running;
    return slot >= 0 && tasks.slots[slot] instanceof TaskCore<?> task ? TaskLocals.of(task) : null;
  }

  /// Whether the caller is a task that has passed a checkpoint in this turn, see
  /// [#checkpointPassed], and so may pass the next one while its budget lasts. Most checkpoints
  /// need only this test.
  final boolean mayPassCheckpoint() {
    checkCaller();
    return checkedSlot == running;
  }

  /// Called when the running task has passed a checkpoint and may pass the next one.
  final void checkpointPassed(StackfulTask<?> task) {
    checkedSlot = task.slot;
  }

  /// Makes the next checkpoint look for the task again.
  final void recheckAtCheckpoint() {
    checkedSlot = UNKNOWN;
  }

  public final StackfulTask<?> currentStackful(String call) {
    checkCaller();
    int slot = running;
    return slot >= 0 && !hidden && tasks.slots[slot] instanceof StackfulTask<?> task
        ? task
        : madeStackful(call);
  }

  private StackfulTask<?> madeStackful(String call) {
    if (currentTask() instanceof StackfulTask<?> made) {
      return made;
    }
    throw cannotSuspend(call);
  }

  private IllegalStateException cannotSuspend(String call) {
    if (running != TaskTable.NONE && hidden) {
      return new IllegalStateException(
          call
              + " in code that must not suspend, as a predicate, a listener, or a task of a"
              + " scheduler that the current task runs: wait before or after");
    }
    TaskCore<?> task = currentTask();
    return new IllegalStateException(
        task == null
            ? call
                + " outside of a task, for instance in a posted action or in a listener of a"
                + " toolkit: only a task of this"
                + " scheduler can give way; spawn one"
            : call
                + " in step task '"
                + task.name()
                + "', which has no stack to leave: spawn a task for code that waits; the body of a"
                + " step task can return self.await(..)");
  }

  /// Describes the caller, for messages: the running task, or the thread.
  public final String callerName() {
    TaskCore<?> task = currentTask();
    return task == null ? CurrentLoop.thisThread() : "task '" + task.name() + "'";
  }

  /// Whether the caller is this task, and may give way. Any thread.
  final boolean isCurrent(TaskCore<?> task) {
    return isCaller() && isRunning(task) && !hidden;
  }

  /// Called when a call of the JDK blocks a task. If the task was hidden, other tasks are not.
  final void unhideFor(TaskCore<?> blocked) {
    if (hidden) {
      restoreCurrentTask(false);
      blocked.extras().hidden = true;
    }
  }

  /// The turn goes to a task on its own thread. Hides the task if it was hidden when it was
  /// blocked.
  final void turnGoesTo(@Nullable Thread thread, TaskCore<?> task) {
    turnGoesTo(thread);
    TaskExtras has = task.extras;
    if (has != null && has.hidden) {
      has.hidden = false;
      boolean _ = hideCurrentTask();
    }
  }

  /// Whether the running task is hidden, so that it must not give way.
  final boolean isCurrentTaskHidden() {
    return hidden;
  }

  /// Hides the running task while other code runs on its stack: no task is current, and the running
  /// task must not give way.
  ///
  /// @return whether it was hidden before, for [#restoreCurrentTask]
  final boolean hideCurrentTask() {
    boolean wasHidden = hidden;
    hidden = true;
    recheckAtCheckpoint();
    return wasHidden;
  }

  /// Undoes [#hideCurrentTask].
  ///
  /// @param wasHidden what that call has returned
  final void restoreCurrentTask(boolean wasHidden) {
    hidden = wasHidden;
    recheckAtCheckpoint();
  }
}
