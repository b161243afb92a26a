package dev.rondo.scheduler.engine.policy;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import dev.rondo.scheduler.engine.ReadyQueue;
import dev.rondo.scheduler.engine.TaskCore;
import org.jspecify.annotations.Nullable;

/// The order of tasks that a [SchedulingPolicy] determines.
///
/// Confined to the scheduler's thread.
public final class PolicyOrder implements ReadyQueue.Order {

  private final SchedulingPolicy policy;

  /// Whether the policy has chosen the head of the ring. That task is about to run, runs, or has
  /// halted.
  private boolean chosen;

  /// Makes the order of an empty queue.
  public PolicyOrder(SchedulingPolicy policy) {
    this.policy = policy;
  }

  @Override
  public boolean isOpen() {
    return !chosen;
  }

  @Override
  public Task<?> choose() {
    Task<?> next = policy.next();
    if (!(next instanceof TaskCore<?> task) || !task.isReady()) {
      throw new IllegalStateException(
          "scheduling policy "
              + policy
              + " chose "
              + next
              + ", which is not ready; next() must take out and return one that was added");
    }
    chosen = true;
    return task;
  }

  @Override
  public void addedLast(Task<?> task) {
    policy.add(task);
  }

  @Override
  public void addedFirst(Task<?> task, @Nullable Task<?> head) {
    giveBack(head);
    policy.addFirst(task);
  }

  @Override
  public void addedAfter(Task<?> anchor, Task<?> task, boolean isHead) {
    if (chosen && isHead) {
      policy.addFirst(task);
    } else {
      policy.addAfter(anchor, task);
    }
  }

  @Override
  public void rotated(Task<?> head) {
    policy.add(head);
    chosen = false;
  }

  @Override
  public void unrotated(Task<?> task) {
    policy.remove(task);
    chosen = true;
  }

  @Override
  public void takenBack(@Nullable Task<?> head) {
    giveBack(head);
    chosen = true;
  }

  @Override
  public void removed(Task<?> task, boolean isHead) {
    if (chosen && isHead) {
      chosen = false;
    } else {
      policy.remove(task);
    }
  }

  /// Returns the chosen task to the policy, as the policy's first task. The chosen task has halted,
  /// and another task is about to be put before it.
  private void giveBack(@Nullable Task<?> head) {
    if (chosen && head != null) {
      chosen = false;
      policy.addFirst(head);
    }
  }
}
