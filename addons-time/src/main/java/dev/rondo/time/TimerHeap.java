package dev.rondo.time;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The armed timers of one scheduler: earliest deadline first, and in arming order among equals.
///
/// A 4-ary implicit heap (D. B. Johnson, *Priority queues with update and finding minimum spanning
/// trees*, 1975): half as deep as a binary one, and the four children lie side by side. Every entry
/// knows its place, so arming and disarming are both O(log n), and a disarmed entry is gone at
/// once.
///
/// Deadlines are compared by subtraction, so the clock may wrap; any two deadlines in the heap must
/// be less than 2^63 ns apart. Confined to the scheduler's thread.
final class TimerHeap {

  /// What happens at an instant. Used once.
  abstract static class Entry {

    /// The place of an entry that is in no heap.
    private static final int NOWHERE = -1;

    private long deadlineNanos;

    /// Counts up with every arming: decides among equal deadlines.
    private long sequence;

    private int place = NOWHERE;

    /// Does it. The entry has left the heap.
    abstract void fire();

    final long deadlineNanos() {
      return deadlineNanos;
    }

    final boolean isArmed() {
      return place != NOWHERE;
    }

    private boolean isBefore(Entry other) {
      long distance = deadlineNanos - other.deadlineNanos;
      return distance == 0 ? sequence - other.sequence < 0 : distance < 0;
    }
  }

  private static final int CHILDREN = 4;
  private static final int INITIAL_CAPACITY = 16;

  /// Filled up to `size`, null behind.
  private @Nullable Entry[] entries = new @Nullable Entry[INITIAL_CAPACITY];

  private int size;
  private long lastSequence;

  int size() {
    return size;
  }

  /// The earliest; null if there is none.
  @Nullable Entry first() {
    return entries[0];
  }

  /// Puts an entry in.
  ///
  /// @param entry in no heap
  void arm(Entry entry, long deadlineNanos) {
    assert !entry.isArmed() : "armed twice";
    entry.deadlineNanos = deadlineNanos;
    entry.sequence = ++lastSequence;
    if (size == entries.length) {
      entries = Arrays.copyOf(entries, size << 1);
    }
    siftUp(entry, size++);
  }

  /// Takes an entry out.
  ///
  /// @return whether it was in
  boolean disarm(Entry entry) {
    int hole = entry.place;
    if (hole == Entry.NOWHERE) {
      return false;
    }
    Entry last = at(--size);
    entries[size] = null;
    entry.place = Entry.NOWHERE;
    if (last == entry) {
      return true;
    }
    if (hole > 0 && last.isBefore(at(parent(hole)))) {
      siftUp(last, hole);
    } else {
      siftDown(last, hole);
    }
    return true;
  }

  /// Takes out the earliest if it is due.
  @Nullable Entry pollDue(long nowNanos) {
    Entry first = first();
    if (first == null || nowNanos - first.deadlineNanos < 0) {
      return null;
    }
    disarm(first);
    return first;
  }

  private void siftUp(Entry entry, int from) {
    int hole = from;
    while (hole > 0) {
      int parent = parent(hole);
      Entry above = at(parent);
      if (!entry.isBefore(above)) {
        break;
      }
      put(above, hole);
      hole = parent;
    }
    put(entry, hole);
  }

  private void siftDown(Entry entry, int from) {
    int hole = from;
    while (true) {
      int child = hole * CHILDREN + 1;
      if (child >= size) {
        break;
      }
      int least = leastOf(child, Math.min(child + CHILDREN, size));
      Entry below = at(least);
      if (!below.isBefore(entry)) {
        break;
      }
      put(below, hole);
      hole = least;
    }
    put(entry, hole);
  }

  private int leastOf(int from, int to) {
    int least = from;
    for (int i = from + 1; i < to; i++) {
      if (at(i).isBefore(at(least))) {
        least = i;
      }
    }
    return least;
  }

  private static int parent(int place) {
    return (place - 1) / CHILDREN;
  }

  private void put(Entry entry, int place) {
    entries[place] = entry;
    entry.place = place;
  }

  /// The entry of a place below `size`: there is one.
  @SuppressWarnings("NullAway")
  private Entry at(int place) {
    return entries[place];
  }
}
