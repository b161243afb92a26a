package dev.rondo.exploration;

import dev.rondo.scheduler.Task;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Tasks in the order of round robin: a ring, from which any can be taken.
final class ReadyTasks {

  private static final int FIRST_CAPACITY = 16;

  private @Nullable Task<?>[] ring = new Task<?>[FIRST_CAPACITY]; // a power of two
  private int head;
  private int size;

  int size() {
    return size;
  }

  @SuppressWarnings("NullAway") // in use
  Task<?> get(int index) {
    return ring[place(index)];
  }

  private int place(int index) {
    return (head + index) & (ring.length - 1);
  }

  /// @param index from 0 to the size
  void insert(int index, Task<?> task) {
    if (size == ring.length) {
      grow();
    }
    if (index < size / 2) {
      head = place(ring.length - 1);
      for (int i = 0; i < index; i++) {
        ring[place(i)] = ring[place(i + 1)];
      }
    } else {
      for (int i = size; i > index; i--) {
        ring[place(i)] = ring[place(i - 1)];
      }
    }
    ring[place(index)] = task;
    size++;
  }

  private void grow() {
    @Nullable Task<?>[] larger = Arrays.copyOf(ring, 2 * ring.length);
    for (int i = 0; i < size; i++) {
      larger[i] = get(i);
    }
    ring = larger;
    head = 0;
  }

  Task<?> takeOut(int index) {
    Task<?> taken = get(index);
    size--;
    if (index < size / 2) {
      for (int i = index; i > 0; i--) {
        ring[place(i)] = ring[place(i - 1)];
      }
      ring[head] = null;
      head = place(1);
    } else {
      for (int i = index; i < size; i++) {
        ring[place(i)] = ring[place(i + 1)];
      }
      ring[place(size)] = null;
    }
    return taken;
  }

  /// {@return the place of a task, or -1}
  @SuppressWarnings("ReferenceEquality") // a task is itself
  int indexOf(Task<?> task) {
    for (int i = 0; i < size; i++) {
      if (get(i) == task) {
        return i;
      }
    }
    return -1;
  }
}
