package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tasks that are ready, in order: a ring of slots of the [TaskTable], linked through `int`
/// fields of the tasks.
///
/// The links are `int`s because of the default collector: it puts a memory fence behind each
/// reference that is written into an object of the old generation. A task that makes and joins
/// another one would pay for a dozen of them. In this way the slot itself is the only reference.
///
/// The running task stays in the ring, at its head. So a yield is a write to one field: the head
/// moves to the next task, and the task that yields becomes the last.
///
/// With a [SchedulingPolicy] the ring still holds all ready tasks, in the order in which they
/// became ready. A [ReadyOrder] sees each of them and chooses the one that moves to the head.
public final class ReadyQueue extends TaskTable {

  /// The slot of the ring's head, or [#NONE].
  private int head = NONE;

  /// The slot of the entry that has the turn, which is the head. It is [#NONE] between turns, and
  /// from the moment when a task gives up its place until its turn is over.
  int running = NONE;

  /// Decides which task is the next; null for the order of the ring.
  private final @Nullable ReadyOrder order;

  /// How many tasks are ready, made or not.
  private int ready;

  /// How many of them are not made.
  private int unmade;

  ReadyQueue(@Nullable SchedulingPolicy policy) {
    this.order = policy == null ? null : Rooms.all().order(policy);
  }

  // What is ready.

  boolean hasPolicy() {
    return order != null;
  }

  boolean noneIsReady() {
    return head == NONE;
  }

  /// The entry that runs, or the next to run; null if none is ready.
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

  /// How many tasks are ready, the running one included.
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
      } catch (Throwable e) { // of the policy: nothing has changed
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

  /// Adds a task before all others except the running task, if there is one. If there is none, it
  /// comes before a task that has halted, too.
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

  /// Adds a task directly behind one that is in the ring.
  void addAfter(TaskCore<?> anchor, TaskCore<?> task) {
    ready++;
    link(anchor, task, at(anchor.next));
    if (order != null) {
      order.addedAfter(anchor, task, isFirst(anchor));
    }
  }

  /// Puts the running task, which had been taken out, back to the head: its turn goes on.
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

  /// Takes out a task that is in the ring. If it was the head, the task behind it is the head now,
  /// and does not run yet.
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

  // Entries that are no tasks, and the tasks for which they stand, which are not made.

  /// Puts an entry to the back that is no task. Never with a policy, which sees each task.
  public void addLast(ReadyEntry entry) {
    takeSlot(entry);
    linkLast(entry);
  }

  /// Takes out an entry that is no task, and that stands for none any more.
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
  /// @return whether it was the last that kept the scheduler running
  boolean unmadeLeft() {
    ready--;
    unmade--;
    size--;
    return --working == 0;
  }

  /// Gives the first task of an entry, which was just made, a place before the entry.
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
    while (unmade > 0 && left > 0) { // those that are left are in the ring
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

  /// Links the ready entries again, in the order of their slots. Called when a change was cut
  /// short, which may have left an entry linked that has no slot.
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

  /// Puts an entry to the head: between the last entry and the first, as [#linkLast] does, because
  /// the queue is a ring.
  private void linkFirst(ReadyEntry entry) {
    linkLast(entry);
    head = entry.slot;
  }

  /// Puts an entry to the back. The head stays, if there is one.
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

  /// Puts an entry between two neighbours. The head stays.
  private static void link(ReadyEntry before, ReadyEntry entry, ReadyEntry after) {
    entry.previous = before.slot;
    entry.next = after.slot;
    before.next = entry.slot;
    after.previous = entry.slot;
  }

  /// Takes out an entry. If it was the head, the entry behind it is the head now.
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
