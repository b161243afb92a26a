package dev.rondo.scheduler.engine.policy;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import dev.rondo.scheduler.engine.ReadyQueue;
import dev.rondo.scheduler.engine.TaskCore;
import org.jspecify.annotations.Nullable;

/// The ready queue of a scheduler with a [SchedulingPolicy]. The ring still holds all ready tasks,
/// in the order in which they became ready. The policy sees each task that comes or goes, and
/// chooses the task that moves to the head.
///
/// Confined to the scheduler's thread.
public final class PolicyQueue extends ReadyQueue {

  private final SchedulingPolicy policy;

  /// Whether the policy has chosen the head of the ring. That task is about to run, runs, or has
  /// halted.
  private boolean chosen;

  private PolicyQueue(SchedulingPolicy policy) {
    this.policy = policy;
  }

  /// {@return an empty queue}
  public static ReadyQueue of(SchedulingPolicy policy) {
    return new PolicyQueue(policy);
  }

  @Override
  protected ReadyQueue.@Nullable Entry first() {
    if (!chosen && !noneIsReady()) {
      moveToHead(choose());
      chosen = true;
    }
    return super.first();
  }

  private TaskCore<?> choose() {
    Task<?> next = policy.next();
    if (!(next instanceof TaskCore<?> task) || task.loop.tasks != this || !task.isReady()) {
      throw new IllegalStateException(
          "scheduling policy "
              + policy
              + " chose "
              + next
              + ", which is not a ready task of this scheduler; next() must take out and return one"
              + " that was added");
    }
    return task;
  }

  @Override
  protected void rotate(TaskCore<?> first) {
    super.rotate(first);
    try {
      policy.add(first);
    } catch (Throwable e) { // the turn of the task goes on
      super.undoRotate(first);
      throw e;
    }
    chosen = false;
  }

  @Override
  protected void undoRotate(TaskCore<?> task) {
    policy.remove(task);
    chosen = true;
    super.undoRotate(task);
  }

  @Override
  public void addLast(TaskCore<?> task) {
    super.addLast(task);
    policy.add(task);
  }

  @Override
  protected void addFirst(TaskCore<?> task) {
    if (!isInTurn()) {
      giveBack();
      policy.addFirst(task);
    } // else it comes behind the running task, by addAfter
    super.addFirst(task);
  }

  @Override
  protected void addAfter(TaskCore<?> anchor, TaskCore<?> task) {
    super.addAfter(anchor, task);
    if (chosen && isFirst(anchor)) {
      policy.addFirst(task);
    } else {
      policy.addAfter(anchor, task);
    }
  }

  @Override
  protected void takeBack(TaskCore<?> running) {
    giveBack();
    chosen = true;
    super.takeBack(running);
  }

  @Override
  public void remove(TaskCore<?> task) {
    boolean isHead = isFirst(task);
    super.remove(task);
    if (chosen && isHead) {
      chosen = false;
    } else {
      policy.remove(task);
    }
  }

  /// Returns the chosen task to the policy, as the policy's first task. The chosen task has halted,
  /// and another task is about to be put before it.
  private void giveBack() {
    if (chosen && super.first() instanceof TaskCore<?> head) {
      chosen = false;
      policy.addFirst(head);
    }
  }
}
