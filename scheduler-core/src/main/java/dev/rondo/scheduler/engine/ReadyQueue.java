package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Every task that was scheduled and has not ended, each in a slot of its own, and the order of the
/// tasks that are ready: a ring of slots, linked through `int` fields of the tasks. It allocates
/// only when it grows.
///
/// The links are `int`s because of the default collector, which adds a memory fence after each
/// write of a reference into an object of the old generation. A task that makes and joins another
/// task would pay for a dozen fences. With `int`s, the slot holds the only reference.
///
/// The running task stays in the ring, at its head. So a yield is a write to one field: the head
/// moves to the next task, and the task that yields becomes the last.
///
/// With a [SchedulingPolicy] the ring still holds all ready tasks, in the order in which they
/// became ready. An [Order] sees each task and chooses the task that moves to the head.
public final class ReadyQueue {

  /// The order of the ready tasks, if it differs from the order of the ring: a seam for policies.
  /// The queue reports each task that comes or goes to this order, and moves the task that the order
  /// chooses to the head of the ring. A queue without a policy has no such object.
  public interface Order {

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

  /// Stands for no slot.
  static final int NONE = -1;

  private static final int FIRST_CAPACITY = 16;

  @Nullable ReadyEntry[] slots = new ReadyEntry[FIRST_CAPACITY];

  /// Slots from this number on were never used.
  public int unused;

  /// The free slots among those that were used, as a stack.
  private int[] free = new int[FIRST_CAPACITY];

  private int freeCount;

  /// The number of tasks.
  int size;

  /// The number of tasks that keep the scheduler running, because they are not daemons.
  public int working;

  /// The number of tasks that are add-ons.
  private int addOns;

  /// The slot of the ring's head, or [#NONE].
  private int head = NONE;

  /// The slot of the entry that has the turn, which is the head. The value is [#NONE] between
  /// turns, and also from the moment when a task gives up its place until its turn is over.
  int running = NONE;

  /// Chooses the next task; null for the order of the ring.
  private final @Nullable Order order;

  /// The number of ready tasks, made or not.
  private int ready;

  /// The number of ready tasks that are not made.
  private int unmade;

  ReadyQueue(@Nullable SchedulingPolicy policy) {
    this.order = policy == null ? null : Rooms.all().order(policy);
  }

  // The tasks.

  /// Gives a task a slot, when it is first scheduled, and counts it.
  void register(TaskCore<?> task) {
    takeSlot(task);
    size++;
    if (task.role == TaskCore.ADD_ON) {
      addOns++;
    }
    if (task.role == TaskCore.WORKER) {
      working++;
    }
  }

  /// Forgets a task that has left the ready queue.
  ///
  /// @return whether it was the last task that kept the scheduler running
  boolean unregister(TaskCore<?> task) {
    freeSlot(task);
    size--;
    if (task.role == TaskCore.ADD_ON) {
      addOns--;
    }
    return task.role == TaskCore.WORKER && --working == 0;
  }

  /// Makes all tasks that are not made yet.
  void makeAll() {
    boolean _ = makeSome(Integer.MAX_VALUE);
  }

  /// Called when a registered task has become a daemon.
  void daemonAdded() {
    working--;
  }

  public boolean hasOthersThanAddOns() {
    return size > addOns;
  }

  /// The number of registered tasks.
  public int size() {
    return size;
  }

  /// The tasks, the oldest first.
  public List<TaskCore<?>> list() {
    makeAll();
    var tasks = new ArrayList<TaskCore<?>>(size);
    for (int slot = 0; slot < unused; slot++) {
      if (slots[slot] instanceof TaskCore<?> task) {
        tasks.add(task);
      }
    }
    tasks.sort(Comparator.comparingLong(TaskCore::id));
    return tasks;
  }

  /// The tasks except those of add-ons, the oldest first.
  public List<TaskCore<?>> listWithoutAddOns() {
    List<TaskCore<?>> tasks = list();
    tasks.removeIf(task -> task.isAddOn());
    return tasks;
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

  /// Moves a ready task to the place directly behind another task.
  public void moveBehind(TaskCore<?> anchor, TaskCore<?> task) {
    remove(task);
    addAfter(anchor, task);
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
  public boolean unmadeLeft() {
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

  /// Makes some of the tasks that are not made yet.
  ///
  /// @param most how many
  /// @return whether there are more
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

  // Slots and links.

  void takeSlot(ReadyEntry entry) {
    int slot = freeCount > 0 ? free[--freeCount] : unused++;
    if (slot == slots.length) {
      slots = Arrays.copyOf(slots, slot * 2);
    }
    slots[slot] = entry;
    entry.slot = slot;
  }

  void freeSlot(ReadyEntry entry) {
    slots[entry.slot] = null;
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, freeCount * 2);
    }
    free[freeCount++] = entry.slot;
    entry.slot = NONE;
  }

  ReadyEntry at(int slot) {
    ReadyEntry entry = slots[slot];
    if (entry == null) {
      throw new AssertionError("slot " + slot + " is linked and empty");
    }
    return entry;
  }

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
