package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.addon.SchedulingPolicy;
import org.jspecify.annotations.Nullable;

/// The task that has the turn.
///
/// The base of [Turns], and so of the [Loop]: most calls of a program ask for it.
///
/// Confined to the scheduler's thread, but for what says so.
abstract sealed class RunningTask extends LoopThread permits Turns {

  /// The slot of no task, and none that [#running] can be.
  private static final int UNKNOWN = Integer.MIN_VALUE;

  final ReadyQueue tasks;

  /// The slot of the task that has the turn, the head of the ready queue; none between turns, and
  /// from when it gives up its place until its turn is over. While the task is not made, the slot
  /// of its chain as [#lazily] has it, which is negative too. No reference: to write one costs a
  /// memory fence, see [ReadyQueue].
  int running = TaskTable.NONE;

  /// The slot of the running task if nothing hinders it from passing a checkpoint of this turn: it
  /// has a stack, is not [#obscured], not debugged, and not cancelled. Else [#UNKNOWN], or another.
  private int unhindered = UNKNOWN;

  /// Whether another loop runs on the stack of the running task, or a listener does: it cannot give
  /// way meanwhile.
  private boolean obscured;

  RunningTask(@Nullable SchedulingPolicy policy) {
    this.tasks = new ReadyQueue(policy);
  }

  final boolean isRunning(TaskCore<?> task) {
    return task.slot == running && running != TaskTable.NONE;
  }

  /// Turns the slot of a chain into what [#running] says of it, and back.
  static int lazily(int slot) {
    return TaskTable.NONE - 1 - slot;
  }

  /// The task that has the turn, if it may give way; null in the turn of a task that drives another
  /// scheduler.
  final @Nullable TaskCore<?> currentTask() {
    int slot = running;
    return slot < 0 || obscured ? madeCurrent() : (TaskCore<?>) tasks.slots[slot];
  }

  /// The same where that is not made, or is none.
  private @Nullable TaskCore<?> madeCurrent() {
    return obscured ? null : runningTask();
  }

  /// Whether a task has the turn, and may give way. Does not make it.
  final boolean hasCurrentTask() {
    return running != TaskTable.NONE && !obscured;
  }

  /// The task that has the turn. Any thread, as far as that can see.
  final @Nullable TaskCore<?> runningTask() {
    int slot = running;
    @Nullable ReadyEntry[] all = tasks.slots;
    if (slot >= 0) {
      return slot < all.length && all[slot] instanceof TaskCore<?> task ? task : null;
    }
    int ofChain = lazily(slot);
    if (ofChain < 0 || ofChain >= all.length || !(all[ofChain] instanceof LazyChain chain)) {
      return null;
    }
    return isHere() ? tasks.makeFirst(chain) : chain.portrait();
  }

  /// Makes the running task, if it is not.
  final void makeRunning() {
    var _ = runningTask();
  }

  /// The number of the running task; 0 if there is none. Does not make it.
  final long runningId() {
    int slot = running;
    if (slot >= 0) {
      return tasks.slots[slot] instanceof TaskCore<?> task ? task.id() : 0;
    }
    return slot != TaskTable.NONE && tasks.slots[lazily(slot)] instanceof LazyChain chain
        ? chain.firstId()
        : 0;
  }

  /// What the running task has bound its [dev.rondo.scheduler.TaskLocal]s to. Does not make it.
  final @Nullable Object @Nullable [] runningLocals() {
    int slot = running;
    return slot >= 0 && tasks.slots[slot] instanceof TaskCore<?> task ? TaskLocals.of(task) : null;
  }

  /// Whether the caller is known to be a task that may go on at a checkpoint as long as its budget
  /// lasts: so most checkpoints need not look for the task. Never if that was not found out in this
  /// turn, by [#passed].
  final boolean isUnhindered() {
    checkCaller();
    return unhindered == running;
  }

  /// The running task has passed a checkpoint, and nothing would hinder it at the next one.
  final void passed(StackfulTask<?> task) {
    unhindered = task.slot;
  }

  /// Has the next checkpoint look again.
  final void hinder() {
    unhindered = UNKNOWN;
  }

  final StackfulTask<?> currentStackful(String call) {
    checkCaller();
    int slot = running;
    return slot >= 0 && !obscured && tasks.slots[slot] instanceof StackfulTask<?> task
        ? task
        : madeStackful(call);
  }

  private StackfulTask<?> madeStackful(String call) {
    if (madeCurrent() instanceof StackfulTask<?> made) {
      return made;
    }
    throw cannotSuspend(call);
  }

  private IllegalStateException cannotSuspend(String call) {
    if (running != TaskTable.NONE && obscured) {
      return new IllegalStateException(
          call
              + " in code that must not suspend, as a predicate or a listener: wait before or"
              + " after");
    }
    TaskCore<?> task = currentTask();
    return new IllegalStateException(
        task == null
            ? call
                + " outside of a task, as in code that was posted: only a task of this scheduler"
                + " can give way; spawn one"
            : call
                + " in step task '"
                + task.name()
                + "', which has no stack to leave: spawn a task for code that waits; the body of a"
                + " step task can return self.await(..)");
  }

  final String callerName() {
    TaskCore<?> task = currentTask();
    return task == null ? Thread.currentThread().getName() : "task '" + task.name() + "'";
  }

  /// Whether the caller is this task, and may give way. Any thread.
  final boolean isCurrent(TaskCore<?> task) {
    return isCaller() && isRunning(task) && !obscured;
  }

  /// Forbids the running task to give way, or allows it again. Returns what it was before.
  final boolean obscure(boolean on) {
    boolean before = obscured;
    obscured = on;
    hinder();
    return before;
  }
}
