package dev.rondo.time;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The timers that come next, in exact order: a 4-ary implicit heap.
///
/// It is half as deep as a binary heap, and the four children are adjacent in memory (A. LaMarca,
/// R. Ladner, *The influence of caches on the performance of heaps*, 1996). Every entry knows its
/// place (D. B. Johnson, 1975), so any entry can be removed in O(log n). Confined to the
/// scheduler's thread.
@SuppressWarnings("NullAway") // no entry below `size` is null
final class TimerHeap {

  private static final int CHILDREN = 4;
  private static final int INITIAL_CAPACITY = 16;

  /// Filled up to `size`; the rest is null.
  private @Nullable TimerEntry[] entries = new @Nullable TimerEntry[INITIAL_CAPACITY];

  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  /// Returns the earliest entry; null if there is none.
  @Nullable TimerEntry first() {
    return entries[0];
  }

  void add(TimerEntry entry) {
    if (size == entries.length) {
      entries = Arrays.copyOf(entries, size << 1);
    }
    siftUp(entry, size++);
  }

  /// Removes an entry of this heap.
  void remove(TimerEntry entry) {
    int hole = entry.place;
    entry.place = TimerEntry.NOWHERE;
    TimerEntry last = entries[--size];
    entries[size] = null;
    if (last == entry) {
      return;
    }
    if (hole > 0 && last.isBefore(entries[parent(hole)])) {
      siftUp(last, hole);
    } else {
      siftDown(last, hole);
    }
  }

  private void siftUp(TimerEntry entry, int from) {
    int hole = from;
    while (hole > 0) {
      int parent = parent(hole);
      TimerEntry above = entries[parent];
      if (!entry.isBefore(above)) {
        break;
      }
      put(above, hole);
      hole = parent;
    }
    put(entry, hole);
  }

  private void siftDown(TimerEntry entry, int from) {
    int hole = from;
    while (true) {
      int child = hole * CHILDREN + 1;
      if (child >= size) {
        break;
      }
      int least = leastOf(child, Math.min(child + CHILDREN, size));
      TimerEntry below = entries[least];
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
      if (entries[i].isBefore(entries[least])) {
        least = i;
      }
    }
    return least;
  }

  private static int parent(int place) {
    return (place - 1) / CHILDREN;
  }

  private void put(TimerEntry entry, int place) {
    entries[place] = entry;
    entry.place = place;
  }

  /// Adds its entries to a list.
  void addTo(List<TimerEntry> all) {
    int _ = visit(0, size, all::add);
  }

  /// Visits some of its entries.
  ///
  /// @return the place at which to continue, at most the number of entries
  int visit(int from, int most, Consumer<TimerEntry> visitor) {
    int to = (int) Math.min(size, (long) from + most);
    for (int i = from; i < to; i++) {
      visitor.accept(entries[i]);
    }
    return Math.max(from, to);
  }
}
