package dev.rondo.scheduler.engine.policy;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.Urgency;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A policy that gives each task a rank when it is added and chooses the lowest: a binary heap (J.
/// W. J. Williams, *Algorithm 232*, 1964) in which each task's [Urgency] knows its place, so that
/// removing needs no search.
abstract sealed class RankedPolicy implements SchedulingPolicy
    permits PriorityPolicy, DeadlinePolicy {

  private static final int FIRST_CAPACITY = 16;

  private @Nullable Task<?>[] heap = new Task<?>[FIRST_CAPACITY];
  private int size;

  /// Counts the tasks added, for the order among equals.
  private long added;

  /// Counts the tasks added by [#addFirst], downwards, so that the last one comes first.
  private long addedFirst;

  @Override
  public final void add(Task<?> task) {
    Urgency urgency = urgencyOf(task);
    rank(task, urgency);
    urgency.order = ++added;
    insert(task, urgency);
  }

  @Override
  public final void addFirst(Task<?> task) {
    Urgency urgency = urgencyOf(task);
    urgency.rank(Urgency.Band.FIRST, 0);
    urgency.order = --addedFirst;
    insert(task, urgency);
  }

  private static Urgency urgencyOf(Task<?> task) {
    TaskCore<?> core = TaskCore.of(task);
    return core.urgency();
  }

  /// Gives a task its rank.
  abstract void rank(Task<?> task, Urgency urgency);

  private void insert(Task<?> task, Urgency urgency) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size * 2);
    }
    siftUp(size++, task, urgency);
  }

  @Override
  public final void remove(Task<?> task) {
    takeOut(urgencyOf(task).place);
  }

  @Override
  public Task<?> next() {
    return takeOut(0);
  }

  private Task<?> takeOut(int place) {
    Task<?> taken = at(place);
    Task<?> last = at(--size);
    heap[size] = null;
    if (place < size) {
      Urgency urgency = urgencyOf(last);
      siftDown(place, last, urgency);
      if (urgency.place == place) {
        siftUp(place, last, urgency);
      }
    }
    return taken;
  }

  private void siftUp(int from, Task<?> task, Urgency urgency) {
    int place = from;
    while (place > 0) {
      int parent = (place - 1) >>> 1;
      Task<?> above = at(parent);
      if (!urgency.isBefore(urgencyOf(above))) {
        break;
      }
      put(above, place);
      place = parent;
    }
    put(task, place);
  }

  private void siftDown(int from, Task<?> task, Urgency urgency) {
    int place = from;
    while (true) {
      int child = 2 * place + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && urgencyOf(at(child + 1)).isBefore(urgencyOf(at(child)))) {
        child++;
      }
      Task<?> below = at(child);
      if (!urgencyOf(below).isBefore(urgency)) {
        break;
      }
      put(below, place);
      place = child;
    }
    put(task, place);
  }

  private void put(Task<?> task, int place) {
    heap[place] = task;
    urgencyOf(task).place = place;
  }

  private Task<?> at(int place) {
    Task<?> task = heap[place];
    if (task == null) {
      throw new AssertionError("no task at " + place + " of " + size);
    }
    return task;
  }
}
