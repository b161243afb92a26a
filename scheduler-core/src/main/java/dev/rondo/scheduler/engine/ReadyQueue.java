package dev.rondo.scheduler.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Every task that was scheduled and has not ended, each in a slot of its own, and the order of the
/// tasks that are ready: a ring of slots. It allocates only when it grows.
///
/// The links are `int`s because of the default collector, which adds a memory fence after each
/// write of a reference into an object of the old generation. A task that makes and joins another
/// task would pay for a dozen fences. With `int`s, the slot holds the only reference.
///
/// The running task stays in the ring, at its head. So a yield changes no link: the head moves to
/// the next task, and the task that yields becomes the last.
///
/// This class knows no policy: the head is the next task. The queue of a scheduler with a
/// [dev.rondo.scheduler.addon.SchedulingPolicy] extends this class. It overrides each method by
/// which a task comes, goes or is next, so that the policy sees each task and chooses the head.
public class ReadyQueue {

  /// An entry of the ready queue, which runs itself when its turn comes. It is a task, or an entry
  /// of a room that stands for several tasks, such as a chain of lazy tasks. The queue links
  /// entries by their slots.
  ///
  /// An entry that is not a task puts itself into the queue with [#addLast(Entry)], and calls
  /// [#unmadeAdded()] for each task for which it stands.
  ///
  /// Confined to the scheduler's thread, except where a method says otherwise.
  public interface Entry {

    /// Gives the first of its tasks a turn. Before the turn, the entry is the head of the ready
    /// queue. During the turn a task moves to the back, parks or ends.
    ///
    /// @param queue the ready queue
    /// @return the task that has had the last turn; null if that task has ended and was never made
    @Nullable TaskCore<?> turn(ReadyQueue queue);

    /// The first of its tasks. This call makes the task if it was not made.
    TaskCore<?> makeFirst();

    /// A task that describes the first of its tasks, without making that task; null if there is
    /// none. Any thread.
    @Nullable TaskCore<?> portrait();

    /// The number of the first of its tasks.
    long id();

    /// The number of its tasks that are ready.
    int readyCount();
  }

  /// Stands for no slot.
  static final int NONE = -1;

  private static final int FIRST_CAPACITY = 16;

  @Nullable Entry[] slots = new Entry[FIRST_CAPACITY];

  /// The slot behind each slot in the ring; [#NONE] outside of the ring. It also links the free
  /// slots.
  private int[] next = new int[FIRST_CAPACITY];

  /// The slot before each slot in the ring.
  private int[] previous = new int[FIRST_CAPACITY];

  /// Slots from this number on were never used.
  public int unused;

  /// The first free slot among those that were used, or [#NONE].
  private int free = NONE;

  /// The number of tasks, made or not.
  int size;

  /// The number of tasks that keep the scheduler running, because they are not daemons.
  public int working;

  /// The number of tasks that are add-ons.
  private int addOns;

  /// The slot of the ring's head, or [#NONE].
  int head = NONE;

  /// The slot of the entry that has the turn, which is the head. The value is [#NONE] between
  /// turns, and also from the moment when a task gives up its place until its turn is over.
  int running = NONE;

  /// The number of ready tasks, made or not.
  private int ready;

  /// The number of ready tasks that are not made.
  private int unmade;

  /// Makes an empty queue.
  protected ReadyQueue() {}

  // The tasks.

  /// Gives a task a slot, when it is first scheduled, and counts it.
  final void register(TaskCore<?> task) {
    task.slot = takeSlot(task);
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
  final boolean unregister(TaskCore<?> task) {
    freeSlot(task.slot);
    task.slot = NONE;
    size--;
    if (task.role == TaskCore.ADD_ON) {
      addOns--;
    }
    return task.role == TaskCore.WORKER && --working == 0;
  }

  /// Makes all tasks that are not made yet.
  final void makeAll() {
    boolean _ = makeSome(Integer.MAX_VALUE);
  }

  /// Called when a registered task has become a daemon.
  final void daemonAdded() {
    working--;
  }

  public final boolean hasOthersThanAddOns() {
    return size > addOns;
  }

  /// The number of tasks, made or not.
  public final int size() {
    return size;
  }

  /// The tasks, the oldest first.
  public final List<TaskCore<?>> list() {
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
  public final List<TaskCore<?>> listWithoutAddOns() {
    List<TaskCore<?>> tasks = list();
    tasks.removeIf(task -> task.isAddOn());
    return tasks;
  }

  // The ready entries.

  protected final boolean noneIsReady() {
    return head == NONE;
  }

  /// The entry that runs, or the next entry to run; null if none is ready.
  protected @Nullable Entry first() {
    return head == NONE ? null : slots[head];
  }

  /// Makes a ready task the next to run.
  protected final void moveToHead(TaskCore<?> task) {
    unlink(task.slot);
    linkFirst(task.slot);
  }

  /// The entry at the back; null if none is ready.
  public final @Nullable Entry last() {
    return head == NONE ? null : slots[previous[head]];
  }

  protected final boolean isFirst(TaskCore<?> task) {
    return task.slot == head && head != NONE;
  }

  /// Whether a task is in the ring, running or not.
  final boolean isReady(TaskCore<?> task) {
    return task.slot != NONE && next[task.slot] != NONE;
  }

  /// The number of ready tasks, including the running task.
  public final int readyCount() {
    return ready;
  }

  /// All ready tasks, from the head.
  public final List<TaskCore<?>> listReady() {
    makeAll();
    var tasks = new ArrayList<TaskCore<?>>(ready);
    int slot = head;
    for (int left = ready; left > 0; left--) {
      tasks.add((TaskCore<?>) at(slot));
      slot = next[slot];
    }
    return tasks;
  }

  /// Moves the running task to the back: the task behind it becomes the head.
  protected void rotate(TaskCore<?> first) {
    assert isFirst(first) : first;
    running = NONE;
    head = next[head];
  }

  /// Undoes a [#rotate]: the turn of the task goes on.
  protected void undoRotate(TaskCore<?> task) {
    head = task.slot;
    running = head;
  }

  /// Adds a task behind all others.
  public void addLast(TaskCore<?> task) {
    ready++;
    linkLast(task.slot);
  }

  /// Adds a task before all others except the running task. If no task is running, the new task
  /// also comes before a task that has halted.
  protected void addFirst(TaskCore<?> task) {
    if (running != NONE) {
      addAfter(at(running).makeFirst(), task);
    } else {
      ready++;
      linkFirst(task.slot);
    }
  }

  /// Whether an entry has the turn, and has not given up its place.
  protected final boolean isInTurn() {
    return running != NONE;
  }

  /// Adds a task directly behind a task that is in the ring.
  protected void addAfter(TaskCore<?> anchor, TaskCore<?> task) {
    ready++;
    link(anchor.slot, task.slot, next[anchor.slot]);
  }

  /// Moves a ready task to the place directly behind another task.
  public final void moveBehind(TaskCore<?> anchor, TaskCore<?> task) {
    remove(task);
    addAfter(anchor, task);
  }

  /// Puts the running task, which was removed, back to the head: its turn goes on.
  protected void takeBack(TaskCore<?> running) {
    ready++;
    linkFirst(running.slot);
  }

  /// Removes a task that is in the ring. If the task was the head, the task behind it becomes the
  /// head, and does not run yet.
  public void remove(TaskCore<?> task) {
    if (task.slot == running) {
      running = NONE;
    }
    ready--;
    unlink(task.slot);
  }

  // Entries that are not tasks, and stand for tasks that are not made.

  /// Adds an entry that is not a task at the back. Not called with a policy, because a policy sees
  /// each task.
  ///
  /// @return its slot
  public final int addLast(Entry entry) {
    int slot = takeSlot(entry);
    linkLast(slot);
    return slot;
  }

  /// Removes an entry that is not a task, and that no longer stands for any task.
  ///
  /// @param slot of the entry
  public final void removeEmpty(int slot) {
    unlink(slot);
    freeSlot(slot);
  }

  /// The entry in a slot; null if the slot is empty.
  public final @Nullable Entry entryAt(int slot) {
    return slots[slot];
  }

  /// Counts a task for which an entry stands.
  public final void unmadeAdded() {
    size++;
    working++;
    ready++;
    unmade++;
  }

  /// Called when a task that was never made has left its entry.
  ///
  /// @return whether it was the last task that kept the scheduler running
  public final boolean unmadeLeft() {
    ready--;
    unmade--;
    size--;
    return --working == 0;
  }

  /// Puts the first task of an entry, which was just made, before the entry.
  ///
  /// @param slot of the entry
  public final void made(TaskCore<?> task, int slot) {
    task.slot = takeSlot(task);
    link(previous[slot], task.slot, slot);
    if (head == slot) {
      head = task.slot;
    }
    unmade--;
  }

  /// Makes some of the tasks that are not made yet.
  ///
  /// @param most how many
  /// @return whether there are more
  public final boolean makeSome(int most) {
    int left = most;
    int slot = head;
    while (unmade > 0 && left > 0) { // the remaining entries are in the ring
      int behind = next[slot];
      Entry entry;
      while (left > 0 && (entry = slots[slot]) != null && !(entry instanceof TaskCore<?>)) {
        var _ = entry.makeFirst();
        left--;
      }
      slot = behind;
    }
    return unmade > 0;
  }

  // Slots and links.

  private int takeSlot(Entry entry) {
    int slot = free;
    if (slot != NONE) {
      free = next[slot];
    } else {
      slot = unused;
      if (slot == slots.length) { // tested again if one of these lines fails
        next = Arrays.copyOf(next, slot * 2);
        previous = Arrays.copyOf(previous, slot * 2);
        slots = Arrays.copyOf(slots, slot * 2);
      }
      unused = slot + 1;
    }
    next[slot] = NONE;
    slots[slot] = entry;
    return slot;
  }

  private void freeSlot(int slot) {
    slots[slot] = null;
    next[slot] = free;
    free = slot;
  }

  final Entry at(int slot) {
    Entry entry = slots[slot];
    if (entry == null) {
      throw new AssertionError("slot " + slot + " is linked and empty");
    }
    return entry;
  }

  /// Links the ready entries again, in the order of their slots. Called after a change was cut
  /// short, because the change may have left an entry linked that has no slot.
  final void relink() {
    head = NONE;
    ready = 0;
    for (int slot = 0; slot < unused; slot++) {
      Entry entry = slots[slot];
      if (entry != null) {
        next[slot] = NONE;
        int count = entry.readyCount();
        if (count > 0) {
          linkLast(slot);
          ready += count;
        }
      }
    }
  }

  /// Puts an entry at the head. Like [#linkLast], this method links the entry between the last and
  /// the first, because the queue is a ring.
  private void linkFirst(int slot) {
    linkLast(slot);
    head = slot;
  }

  /// Puts an entry at the back. The head, if there is one, does not change.
  private void linkLast(int slot) {
    if (head == NONE) {
      next[slot] = slot;
      previous[slot] = slot;
      head = slot;
    } else {
      link(previous[head], slot, head);
    }
  }

  /// Puts an entry between two neighbours. The head does not change.
  private void link(int before, int slot, int after) {
    previous[slot] = before;
    next[slot] = after;
    next[before] = slot;
    previous[after] = slot;
  }

  /// Removes an entry. If the entry was the head, the entry behind it becomes the head.
  private void unlink(int slot) {
    int behind = next[slot];
    if (behind == slot) {
      head = NONE;
    } else {
      next[previous[slot]] = behind;
      previous[behind] = previous[slot];
      if (head == slot) {
        head = behind;
      }
    }
    next[slot] = NONE;
  }
}
