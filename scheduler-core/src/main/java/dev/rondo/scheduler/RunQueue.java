package dev.rondo.scheduler;

import org.jspecify.annotations.Nullable;

/// The ready queue: a ring of tasks, linked through the tasks themselves.
///
/// The running task stays in the ring, at its head. So a yield is one field write: the head moves
/// on and the task it leaves behind is the last. Nothing here allocates.
final class RunQueue {

  /// The head: the running task, or the next to run. Null if the ring is empty.
  @Nullable Task<?> first;

  private int size;

  /// How many are in the ring, a running one included.
  int size() {
    return size;
  }

  boolean contains(Task<?> task) {
    return task.next != null;
  }

  /// The head goes to the back.
  void rotate() {
    Task<?> head = first;
    if (head != null) {
      first = head.next;
    }
  }

  void addLast(Task<?> task) {
    Task<?> head = first;
    if (head == null) {
      task.next = task;
      task.previous = task;
      first = task;
    } else {
      Task<?> last = head.previous;
      task.next = head;
      task.previous = last;
      head.previous = task;
      if (last != null) {
        last.next = task;
      }
    }
    size++;
  }

  void addFirst(Task<?> task) {
    addLast(task);
    first = task;
  }

  /// Directly behind a task that is in the ring.
  void addAfter(Task<?> anchor, Task<?> task) {
    Task<?> after = anchor.next;
    task.previous = anchor;
    task.next = after;
    anchor.next = task;
    if (after != null) {
      after.previous = task;
    }
    size++;
  }

  /// Takes out a task that is in the ring; if it was the head, the one behind it is the head now.
  void remove(Task<?> task) {
    Task<?> after = task.next;
    Task<?> before = task.previous;
    if (after == null || before == null) {
      throw new AssertionError(task + " is not in the ready queue");
    }
    if (after == task) {
      first = null;
    } else {
      before.next = after;
      after.previous = before;
      if (first == task) {
        first = after;
      }
    }
    task.next = null;
    task.previous = null;
    size--;
  }
}
