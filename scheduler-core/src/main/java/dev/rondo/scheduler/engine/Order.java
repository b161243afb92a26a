package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import org.jspecify.annotations.Nullable;

/// The order of the ready tasks where a [SchedulingPolicy] decides it. The [ReadyQueue] tells it of
/// each task that comes and goes, and moves the task that it chooses to the head of its ring. A
/// queue without a policy has no such object.
///
/// Confined to the scheduler's thread.
final class Order {

  private final SchedulingPolicy policy;

  /// Whether the head of the ring is the policy's choice: a task that is about to run, runs, or has
  /// halted.
  private boolean chosen;

  Order(SchedulingPolicy policy) {
    this.policy = policy;
  }

  /// Whether the next task has to be chosen.
  boolean isOpen() {
    return !chosen;
  }

  /// Chooses the next task.
  TaskCore<?> choose() {
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

  void addedLast(TaskCore<?> task) {
    policy.add(task);
  }

  /// @param head the head of the ring; null if the ring is empty
  void addedFirst(TaskCore<?> task, @Nullable ReadyEntry head) {
    giveBack(head);
    policy.addFirst(task);
  }

  /// @param isHead whether the task before it is the head of the ring
  void addedAfter(TaskCore<?> anchor, TaskCore<?> task, boolean isHead) {
    if (chosen && isHead) {
      policy.addFirst(task);
    } else {
      policy.addAfter(anchor, task);
    }
  }

  /// The turn of the head is over, and it goes to the back.
  void rotated(TaskCore<?> head) {
    policy.add(head);
    chosen = false;
  }

  /// The turn of a task that went to the back goes on.
  void unrotated(TaskCore<?> task) {
    policy.remove(task);
    chosen = true;
  }

  /// The turn of a task that was taken out goes on.
  ///
  /// @param head the head of the ring, which the task replaces; null if the ring is empty
  void takenBack(@Nullable ReadyEntry head) {
    giveBack(head);
    chosen = true;
  }

  /// @param isHead whether it was the head of the ring
  void removed(TaskCore<?> task, boolean isHead) {
    if (chosen && isHead) {
      chosen = false;
    } else {
      policy.remove(task);
    }
  }

  /// Returns the chosen task to the policy, as its first. That task has halted, and another task is
  /// about to be put before it.
  private void giveBack(@Nullable ReadyEntry head) {
    if (chosen && head instanceof TaskCore<?> task) {
      chosen = false;
      policy.addFirst(task);
    }
  }
}
