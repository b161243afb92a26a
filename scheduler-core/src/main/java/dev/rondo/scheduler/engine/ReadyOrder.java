package dev.rondo.scheduler.engine;

import org.jspecify.annotations.Nullable;

/// The order of the ready tasks where it is not that of the ring: a seam for policies. The
/// [ReadyQueue] tells it of each task that comes and goes, and moves the task that it chooses to
/// the head of its ring. A queue without a policy has no such object.
///
/// Confined to the scheduler's thread.
public interface ReadyOrder {

  /// Whether the next task has to be chosen.
  boolean isOpen();

  /// Chooses the next task.
  TaskCore<?> choose();

  void addedLast(TaskCore<?> task);

  /// @param head the head of the ring; null if the ring is empty
  void addedFirst(TaskCore<?> task, @Nullable ReadyEntry head);

  /// @param isHead whether the task before it is the head of the ring
  void addedAfter(TaskCore<?> anchor, TaskCore<?> task, boolean isHead);

  /// The turn of the head is over, and it goes to the back.
  void rotated(TaskCore<?> head);

  /// The turn of a task that went to the back goes on.
  void unrotated(TaskCore<?> task);

  /// The turn of a task that was taken out goes on.
  ///
  /// @param head the head of the ring, which the task replaces; null if the ring is empty
  void takenBack(@Nullable ReadyEntry head);

  /// @param isHead whether it was the head of the ring
  void removed(TaskCore<?> task, boolean isHead);
}
