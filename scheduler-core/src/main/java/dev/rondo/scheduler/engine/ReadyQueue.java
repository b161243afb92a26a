package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tasks that are ready, in order: a ring of slots of the [TaskTable], linked through `int`
/// fields of the tasks.
///
/// The links are `int`s because of the default collector, which adds a memory fence after each
/// write of a reference into an object of the old generation. A task that makes and joins another
/// task would pay for a dozen fences. With `int`s, the slot holds the only reference.
///
/// The running task stays in the ring, at its head. So a yield is a write to one field: the head
/// moves to the next task, and the task that yields becomes the last.
///
/// With a [SchedulingPolicy] the ring still holds all ready tasks, in the order in which they
/// became ready. A [ReadyOrder] sees each task and chooses the task that moves to the head.
public final class ReadyQueue extends TaskTable {

  /// The slot of the ring's head, or [#NONE].
  private int head = NONE;

  /// The slot of the entry that has the turn, which is the head. The value is [#NONE] between
  /// turns, and also from the moment when a task gives up its place until its turn is over.
  int running = NONE;

  /// Chooses the next task; null for the order of the ring.
  private final @Nullable ReadyOrder order;

  /// The number of ready tasks, made or not.
  private int ready;

  /// The number of ready tasks that are not made.
  private int unmade;

  ReadyQueue(@Nullable SchedulingPolicy policy) {
    this.order = policy == null ? null : Rooms.all().order(policy);
  }

  // The ready entries.

  boolean hasPolicy() {
    return order != null;
  }

  boolean noneIsReady() {
    return head == NONE;
  }

  /// The entry that runs, or the next entry to run; null if none is ready.
  @Nullable ReadyEntry first() {
    if (head == NONE) {
      return null;
    }
    if (order != null && order.isOpen()) {
      TaskCore<?> next = TaskCore.of(order.choose());
      unlink(next);
      linkFirst(next);
    }
    return slots[head];
  }

  /// The entry at the back; null if none is ready.
  public @Nullable ReadyEntry last() {
    return head == NONE ? null : slots[at(head).previous];
  }

  boolean isFirst(TaskCore<?> task) {
    return task.slot == head && head != NONE;
  }

  /// The number of ready tasks, including the running task.
  public int readyCount() {
    return ready;
  }

  /// All ready tasks, from the head.
  public List<TaskCore<?>> listReady() {
    makeAll();
    var tasks = new ArrayList<TaskCore<?>>(ready);
    int slot = head;
    for (int left = ready; left > 0; left--) {
      ReadyEntry entry = at(slot);
      tasks.add((TaskCore<?>) entry);
      slot = entry.next;
    }
    return tasks;
  }

  /// Moves the running task to the back, in one write: the task behind it becomes the head.
  void rotate(TaskCore<?> first) {
    assert isFirst(first) : first;
    running = NONE;
    if (order != null) {
      try {
        order.rotated(first);
      } catch (Throwable e) { // of the policy: the queue has not changed
        running = first.slot;
        throw e;
      }
    }
    head = first.next;
  }

  /// Undoes a [#rotate]: the turn of the task goes on.
  void undoRotate(TaskCore<?> task) {
    if (order != null) {
      order.unrotated(task);
    }
    head = task.slot;
    running = head;
  }

  /// Adds a task behind all others.
  public void addLast(TaskCore<?> task) {
    ready++;
    linkLast(task);
    if (order != null) {
      order.addedLast(task);
    }
  }

  /// Adds a task before all others except the running task. If no task is running, the new task
  /// also comes before a task that has halted.
  void addFirst(TaskCore<?> task) {
    if (running != NONE) {
      addAfter(at(running).makeFirst(), task);
      return;
    }
    if (order != null) {
      order.addedFirst(task, headIfAny());
    }
    ready++;
    linkFirst(task);
  }

  /// Adds a task directly behind a task that is in the ring.
  void addAfter(TaskCore<?> anchor, TaskCore<?> task) {
    ready++;
    link(anchor, task, at(anchor.next));
    if (order != null) {
      order.addedAfter(anchor, task, isFirst(anchor));
    }
  }

  /// Puts the running task, which was removed, back to the head: its turn goes on.
  void takeBack(TaskCore<?> running) {
    if (order != null) {
      order.takenBack(headIfAny());
    }
    ready++;
    linkFirst(running);
  }

  private @Nullable Task<?> headIfAny() {
    return head != NONE && slots[head] instanceof Task<?> task ? task : null;
  }

  /// Removes a task that is in the ring. If the task was the head, the task behind it becomes the
  /// head, and does not run yet.
  public void remove(TaskCore<?> task) {
    if (task.slot == running) {
      running = NONE;
    }
    ready--;
    if (order != null) {
      order.removed(task, isFirst(task));
    }
    unlink(task);
  }

  // Entries that are not tasks, and stand for tasks that are not made.

  /// Adds an entry that is not a task at the back. Not called with a policy, because a policy sees
  /// each task.
  public void addLast(ReadyEntry entry) {
    takeSlot(entry);
    linkLast(entry);
  }

  /// Removes an entry that is not a task, and that no longer stands for any task.
  public void removeEmpty(ReadyEntry entry) {
    unlink(entry);
    freeSlot(entry);
  }

  /// The entry in a slot; null if the slot is empty.
  public @Nullable ReadyEntry entryAt(int slot) {
    return slots[slot];
  }

  /// Counts a task for which an entry stands.
  public void unmadeAdded() {
    size++;
    working++;
    ready++;
    unmade++;
  }

  /// Called when a task that was never made has left its entry.
  ///
  /// @return whether it was the last task that kept the scheduler running
  boolean unmadeLeft() {
    ready--;
    unmade--;
    size--;
    return --working == 0;
  }

  /// Puts the first task of an entry, which was just made, before the entry.
  public void made(TaskCore<?> task, ReadyEntry entry) {
    takeSlot(task);
    link(at(entry.previous), task, entry);
    if (head == entry.slot) {
      head = task.slot;
    }
    unmade--;
  }

  @Override
  public boolean makeSome(int most) {
    int left = most;
    int slot = head;
    while (unmade > 0 && left > 0) { // the remaining entries are in the ring
      int next = at(slot).next;
      ReadyEntry entry;
      while (left > 0 && (entry = slots[slot]) != null && !(entry instanceof TaskCore<?>)) {
        var _ = entry.makeFirst();
        left--;
      }
      slot = next;
    }
    return unmade > 0;
  }

  // Links.

  /// Links the ready entries again, in the order of their slots. Called after a change was cut
  /// short, because the change may have left an entry linked that has no slot.
  void relink() {
    head = NONE;
    ready = 0;
    for (int slot = 0; slot < unused; slot++) {
      ReadyEntry entry = slots[slot];
      if (entry != null) {
        entry.next = NONE;
        entry.previous = NONE;
        int count = entry.readyCount();
        if (count > 0) {
          linkLast(entry);
          ready += count;
        }
      }
    }
  }

  /// Puts an entry at the head. Like [#linkLast], this method links the entry between the last and
  /// the first, because the queue is a ring.
  private void linkFirst(ReadyEntry entry) {
    linkLast(entry);
    head = entry.slot;
  }

  /// Puts an entry at the back. The head, if there is one, does not change.
  @SuppressWarnings("NullAway") // slots that are linked are taken
  private void linkLast(ReadyEntry entry) {
    if (head == NONE) {
      entry.next = entry.slot;
      entry.previous = entry.slot;
      head = entry.slot;
    } else {
      ReadyEntry first = slots[head];
      entry.previous = first.previous;
      entry.next = head;
      slots[first.previous].next = entry.slot;
      first.previous = entry.slot;
    }
  }

  /// Puts an entry between two neighbours. The head does not change.
  private static void link(ReadyEntry before, ReadyEntry entry, ReadyEntry after) {
    entry.previous = before.slot;
    entry.next = after.slot;
    before.next = entry.slot;
    after.previous = entry.slot;
  }

  /// Removes an entry. If the entry was the head, the entry behind it becomes the head.
  @SuppressWarnings("NullAway") // slots that are linked are taken
  private void unlink(ReadyEntry entry) {
    int next = entry.next;
    if (next == entry.slot) {
      head = NONE;
    } else {
      slots[entry.previous].next = next;
      slots[next].previous = entry.previous;
      if (head == entry.slot) {
        head = next;
      }
    }
    entry.next = NONE;
    entry.previous = NONE;
  }
}
