package dev.rondo.scheduler;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Every task that was scheduled and has not ended, each in a slot of its own, and the ready queue.
///
/// The ready queue is a ring of slots, linked through `int` fields of the tasks. An `int` because a
/// reference written into an object of the old generation costs a memory fence under the default
/// collector, and tasks that make and join other tasks would pay for a dozen of them; this way the
/// slot itself is the only one. Nothing but a growing table allocates.
///
/// The running task stays in the ring, at its head. So a yield is one field write: the head moves
/// on and the task it leaves behind is the last.
final class TaskTable {

  /// Stands for no slot.
  static final int NONE = -1;

  private static final int FIRST_CAPACITY = 16;

  private @Nullable Task<?>[] slots = new Task<?>[FIRST_CAPACITY];

  /// Slots that were used and are free, a stack.
  private int[] free = new int[FIRST_CAPACITY];

  private int freeCount;

  /// Slots from here on were never used.
  private int unused;

  /// The slot of the ring's head, or [#NONE].
  private int head = NONE;

  private int ready;

  /// How many registered tasks keep the scheduler running: not daemon.
  private int working;

  /// How many registered tasks are add-ons.
  private int addOns;

  // Registration.

  void register(Task<?> task) {
    int slot = freeCount > 0 ? free[--freeCount] : unused++;
    if (slot == slots.length) {
      slots = Arrays.copyOf(slots, slot * 2);
    }
    slots[slot] = task;
    task.slot = slot;
    if (task.addOn) {
      addOns++;
    }
    if (!task.isDaemon()) {
      working++;
    }
  }

  /// Forgets a task that has left the ring.
  ///
  /// @return whether it was the last that kept the scheduler running
  boolean unregister(Task<?> task) {
    int slot = task.slot;
    slots[slot] = null;
    task.slot = NONE;
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, freeCount * 2);
    }
    free[freeCount++] = slot;
    if (task.addOn) {
      addOns--;
    }
    return !task.isDaemon() && --working == 0;
  }

  boolean isWorking() {
    return working > 0;
  }

  boolean hasOthersThanAddOns() {
    return size() > addOns;
  }

  /// How many are registered.
  int size() {
    return unused - freeCount;
  }

  /// Oldest first.
  List<Task<?>> list() {
    var tasks = new ArrayList<Task<?>>(size());
    for (int slot = 0; slot < unused; slot++) {
      Task<?> task = slots[slot];
      if (task != null) {
        tasks.add(task);
      }
    }
    tasks.sort(Comparator.comparingLong(Task::id));
    return tasks;
  }

  // The ring.

  /// The running task, or the next to run; null if nobody is ready.
  @Nullable Task<?> first() {
    return head == NONE ? null : slots[head];
  }

  boolean isFirst(Task<?> task) {
    return task.slot == head && head != NONE;
  }

  /// How many are in the ring, a running one included.
  int readyCount() {
    return ready;
  }

  boolean isReady(Task<?> task) {
    return task.next != NONE;
  }

  /// The task behind this one; the head behind the last.
  Task<?> after(Task<?> task) {
    return at(task.next);
  }

  /// The head goes to the back.
  void rotate(Task<?> first) {
    assert isFirst(first) : first;
    head = first.next;
  }

  /// Undoes a [#rotate], or brings any task of the ring to its head, those before it to the back.
  void makeFirst(Task<?> task) {
    head = task.slot;
  }

  void addLast(Task<?> task) {
    ready++;
    if (head == NONE) {
      task.next = task.slot;
      task.previous = task.slot;
      head = task.slot;
    } else {
      Task<?> first = at(head);
      insert(at(first.previous), task, first);
    }
  }

  void addFirst(Task<?> task) {
    addLast(task);
    head = task.slot;
  }

  /// Directly behind a task that is in the ring.
  void addAfter(Task<?> anchor, Task<?> task) {
    ready++;
    insert(anchor, task, at(anchor.next));
  }

  private static void insert(Task<?> before, Task<?> task, Task<?> after) {
    task.previous = before.slot;
    task.next = after.slot;
    before.next = task.slot;
    after.previous = task.slot;
  }

  /// Takes out a task that is in the ring; if it was the head, the one behind it is the head now.
  void remove(Task<?> task) {
    ready--;
    int next = task.next;
    if (next == task.slot) {
      head = NONE;
    } else {
      at(task.previous).next = next;
      at(next).previous = task.previous;
      if (head == task.slot) {
        head = next;
      }
    }
    task.next = NONE;
    task.previous = NONE;
  }

  private Task<?> at(int slot) {
    Task<?> task = slots[slot];
    if (task == null) {
      throw new AssertionError("slot " + slot + " is linked and empty");
    }
    return task;
  }
}
