package dev.rondo.scheduler.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Every task that was scheduled and has not ended, each in a slot of its own. It allocates only
/// when it grows.
///
/// This class is the base of the [ReadyQueue], which links the slots. Each step of the queue reads
/// a slot, so a separate object would cost an indirection in each step.
abstract sealed class TaskTable permits ReadyQueue {

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

  /// Gives a task a slot, when it is first scheduled, and counts it.
  final void register(TaskCore<?> task) {
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
  final boolean unregister(TaskCore<?> task) {
    freeSlot(task);
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

  /// Makes some of the tasks that are not made yet.
  ///
  /// @param most how many
  /// @return whether there are more
  public abstract boolean makeSome(int most);

  /// Called when a registered task has become a daemon.
  final void daemonAdded() {
    working--;
  }

  public final boolean hasOthersThanAddOns() {
    return size > addOns;
  }

  /// The number of registered tasks.
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

  // Slots.

  final void takeSlot(ReadyEntry entry) {
    int slot = freeCount > 0 ? free[--freeCount] : unused++;
    if (slot == slots.length) {
      slots = Arrays.copyOf(slots, slot * 2);
    }
    slots[slot] = entry;
    entry.slot = slot;
  }

  final void freeSlot(ReadyEntry entry) {
    slots[entry.slot] = null;
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, freeCount * 2);
    }
    free[freeCount++] = entry.slot;
    entry.slot = NONE;
  }

  final ReadyEntry at(int slot) {
    ReadyEntry entry = slots[slot];
    if (entry == null) {
      throw new AssertionError("slot " + slot + " is linked and empty");
    }
    return entry;
  }
}
