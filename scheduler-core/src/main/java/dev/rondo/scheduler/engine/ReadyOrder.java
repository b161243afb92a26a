package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import org.jspecify.annotations.Nullable;

/// The order of the ready tasks, if it differs from the order of the ring: a seam for policies. The
/// [ReadyQueue] reports each task that comes or goes to this order, and moves the task that the
/// order chooses to the head of the ring. A queue without a policy has no such object.
///
/// Confined to the scheduler's thread.
public interface ReadyOrder {

  /// Whether the next task has to be chosen.
  boolean isOpen();

  /// Chooses the next task.
  Task<?> choose();

  /// A task has joined at the back.
  void addedLast(Task<?> task);

  /// A task has joined at the front.
  ///
  /// @param head the head of the ring; null if the ring is empty
  void addedFirst(Task<?> task, @Nullable Task<?> head);

  /// A task has joined behind another.
  ///
  /// @param isHead whether the anchor is the head of the ring
  void addedAfter(Task<?> anchor, Task<?> task, boolean isHead);

  /// The turn of the head is over, and it goes to the back.
  void rotated(Task<?> head);

  /// The turn of a task that went to the back goes on.
  void unrotated(Task<?> task);

  /// The turn of a task that was removed goes on.
  ///
  /// @param head the head of the ring, which the task replaces; null if the ring is empty
  void takenBack(@Nullable Task<?> head);

  /// A task has left.
  ///
  /// @param isHead whether it was the head of the ring
  void removed(Task<?> task, boolean isHead);
}
